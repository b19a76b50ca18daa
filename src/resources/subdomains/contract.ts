import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, Type } from '../../contract/schema.ts';
import { Hostname } from '../organizations/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'The subdomain of an organization is its name in the addresses of its sites on the server, such as acme in /sites/acme/docs/. To change it, run `docsctl orgs update --hostname NAME`.',
  examples: ['docsctl subdomains get acme'],
};

/** A subdomain and the organization that it belongs to. */
export const Subdomain = closed({
  object: Type.Literal('subdomain'),
  subdomain: Hostname,
  target: closed({ type: Type.Literal('organization'), organization: Id }),
  isActive: Type.Boolean({ description: 'whether a published site is below this subdomain' }),
});

export const getSubdomain = operation({
  id: 'subdomains.get',
  route: 'GET /subdomains/:subdomain',
  summary: 'Show which of your organizations owns a subdomain',
  access: 'user.caller',
  returns: ok(Subdomain),
  cli: {
    columns: ['subdomain', 'target.organization', 'isActive'],
    examples: ['docsctl subdomains get acme'],
  },
});
