import { describe, expect, it } from 'vitest';
import { idEnding, shortenIds } from '../../../src/cli/output/short-ids.ts';

const ids = ['spc_01M81SMPC93TJGW0P91EPY1076', 'spc_01M81SMPC93TJGW0P91EQY1076'];

describe('short IDs', () => {
  it('are the shortest ends of IDs that are unique in the list', () => {
    expect(shortenIds(ids.slice(0, 1))).toEqual(['…PY1076']);
    expect(shortenIds([...ids, ids[0] ?? ''])).toEqual(['…PY1076', '…QY1076', '…PY1076']);
    expect(shortenIds(['spc_01M81SMPC93TJGW0PA1EPY1076', 'spc_01M81SMPC93TJGW0PB1EPY1076'])).toEqual([
      '…A1EPY1076',
      '…B1EPY1076',
    ]);
    expect(shortenIds(['evt_01M81SMT9F7WWD2FMG6QSHVAEG_12'])).toEqual(['…AEG_12']);
  });

  it('do not change texts that users chose', () => {
    const texts = [
      'ticket-71',
      '-',
      'openapi.spec_01M81SMPC93TJGW0P91EPY1076',
      'a title of 30 characters',
      '',
    ];
    expect(shortenIds(texts)).toEqual(texts);
  });

  it('are recognized with and without the ellipsis', () => {
    expect(['…PY1076', '...PY1076', 'PY1076', 'QWZTPK', 'dQ3xYz', '…VAEG_12'].map(idEnding)).toEqual([
      'PY1076',
      'PY1076',
      'PY1076',
      'QWZTPK',
      'dQ3xYz',
      'VAEG_12',
    ]);
    expect(['guide', 'API', 'Q3 report', '2026', '202611', 'Install', 'install', '…'].map(idEnding)).toEqual(
      Array(8).fill(undefined),
    );
  });
});
