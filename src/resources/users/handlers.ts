import type { Handler } from '../../core/handler.ts';
import type * as contract from './contract.ts';
import { shapeUser } from './shape.ts';

export const me: Handler<typeof contract.me> = async (context) => shapeUser(context, context.caller.user);
