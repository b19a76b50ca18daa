import { ok, operation } from '../../contract/operation.ts';
import { closed, Id, Type } from '../../contract/schema.ts';
import { Hostname } from '../organizations/contract.ts';

/** A subdomain and the organization that it belongs to. */
export const Subdomain = closed({
  object: Type.Literal('subdomain'),
  subdomain: Hostname,
  target: closed({ type: Type.Literal('organization'), organization: Id }),
  isActive: Type.Boolean(),
});

export const getSubdomain = operation({
  id: 'subdomains.get',
  route: 'GET /subdomains/:subdomain',
  summary: 'Show which of your organizations a subdomain leads to',
  access: 'user.caller',
  returns: ok(Subdomain),
  cli: {
    columns: ['subdomain', 'target.organization', 'isActive'],
    examples: ['docsctl subdomains get acme'],
  },
});
