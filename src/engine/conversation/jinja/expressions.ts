import { TemplateFault } from './limits/faults.ts';
import { filtered, isFilter } from './filters/filters.ts';
import { memberOf, sliceOf } from './values/members.ts';
import type { Call, Identifier, Node, Slice } from './syntax/nodes.ts';
import { negative, operate } from './values/operators.ts';
import { checkLength, takeItems, takeSteps } from './limits/render-limits.ts';
import type { Scope } from './scope.ts';
import { passes } from './filters/tests.ts';
import { str } from './values/text.ts';
import {
  Callable,
  Float,
  isTrue,
  itemsOf,
  Loop,
  numberOf,
  Tuple,
  Undefined,
  type Arguments,
  type Value,
} from './values/values.ts';

/** Evaluates the expressions of a template as Python's jinja2 does. */
export class Expressions {
  /** The value of an expression. */
  value(node: Node, scope: Scope): Value {
    takeSteps(1);
    switch (node.type) {
      case 'Identifier':
        return scope.get(node.value);
      case 'StringLiteral':
      case 'IntegerLiteral':
        return node.value;
      case 'FloatLiteral':
        return new Float(node.value);
      case 'ArrayLiteral':
        return node.value.map((item) => this.value(item, scope));
      case 'TupleLiteral':
        return Tuple.from(node.value.map((item) => this.value(item, scope)));
      case 'ObjectLiteral':
        return new Map(
          [...node.value].map(([key, its]) => [this.value(key, scope), this.value(its, scope)]),
        );
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'CallExpression':
        return this.call(node, scope);
      case 'UnaryExpression':
        return this.#unary(node.operator.value, this.value(node.argument, scope));
      case 'BinaryExpression':
        return this.#binary(node, scope);
      case 'FilterExpression':
        return this.filter(this.value(node.operand, scope), node.filter, scope);
      case 'TestExpression':
        return this.#passes(node.test.value, this.value(node.operand, scope)) !== node.negate;
      case 'SelectExpression':
        return isTrue(this.value(node.test, scope)) ? this.value(node.lhs, scope) : new Undefined();
      case 'Ternary':
        return this.value(
          isTrue(this.value(node.condition, scope)) ? node.trueExpr : node.falseExpr,
          scope,
        );
      default:
        throw new TemplateFault(`${node.type} is no expression`);
    }
  }

  #passes(test: string, value: Value): boolean {
    return test === 'filter' ? isFilter(value) : passes(test, value);
  }

  #unary(operator: string, value: Value): Value {
    if (operator === 'not') return !isTrue(value);
    return operator === '-' ? negative(value) : value;
  }

  #binary(node: Node & { type: 'BinaryExpression' }, scope: Scope): Value {
    const left = this.value(node.left, scope);
    const operator = node.operator.value;
    if (operator === 'and') return isTrue(left) ? this.value(node.right, scope) : left;
    if (operator === 'or') return isTrue(left) ? left : this.value(node.right, scope);
    return checked(operate(operator, left, this.value(node.right, scope)));
  }

  #member(
    { object, property, computed }: Node & { type: 'MemberExpression' },
    scope: Scope,
  ): Value {
    const whole = this.value(object, scope);
    if (property.type === 'SliceExpression') return this.#slice(whole, property, scope);
    if (computed) return memberOf(whole, this.value(property, scope), 'item');
    const name = property.type === 'Identifier' ? property.value : this.value(property, scope);
    return memberOf(whole, name, 'attribute');
  }

  #slice(whole: Value, { start, stop, step }: Slice, scope: Scope): Value {
    const place = (node: Node | undefined) =>
      node ? numberOf(this.value(node, scope)) : undefined;
    return sliceOf(whole, place(start), place(stop), place(step));
  }

  /** The value that a filter makes of another. */
  filter(value: Value, filter: Identifier | Call, scope: Scope): Value {
    const member = (each: Value, name: Value) => memberOf(each, name, 'item');
    if (filter.type === 'Identifier')
      return checked(filtered(filter.value, value, [], new Map(), member));
    const { args, named } = this.#arguments(filter.args, scope);
    if (filter.callee.type !== 'Identifier')
      throw new TemplateFault('The result of a filter cannot be called.');
    const name = filter.callee.value;
    return checked(filtered(name, value, args, named, member));
  }

  /** What a call returns. @param more - named arguments beside those of the call */
  call({ callee, args: nodes }: Call, scope: Scope, more: Arguments = new Map()): Value {
    const called = this.value(callee, scope);
    const { args, named } = this.#arguments(nodes, scope);
    if (called instanceof Callable) return checked(called.call(args, new Map([...named, ...more])));
    if (called instanceof Loop) return checked(recursed(called, args));
    const name =
      callee.type === 'Identifier'
        ? callee.value
        : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
          ? callee.property.value
          : 'this';
    throw new TemplateFault(
      called instanceof Undefined ? `'${name}' is undefined` : `'${name}' is not callable`,
    );
  }

  #arguments(nodes: readonly Node[], scope: Scope): { args: Value[]; named: Arguments } {
    const args: Value[] = [];
    const named: Arguments = new Map();
    for (const node of nodes) {
      if (node.type === 'KeywordArgumentExpression')
        named.set(node.key.value, this.value(node.value, scope));
      else if (node.type === 'SpreadExpression')
        args.push(...itemsOf(this.value(node.argument, scope)));
      else if (node.type === 'KeywordSpreadExpression') {
        const all = this.value(node.argument, scope);
        if (!(all instanceof Map)) continue;
        takeItems(all.size);
        for (const [key, its] of all) named.set(str(key), its);
      } else args.push(this.value(node, scope));
    }
    return { args, named };
  }
}

/** `loop(items)` */
function recursed({ run }: Loop, [items = new Undefined()]: Value[]): string {
  if (run.recurse) return run.recurse(items);
  throw new TemplateFault("The loop must have the 'recursive' marker to be called recursively.");
}

function checked(value: Value): Value {
  if (typeof value === 'string') checkLength(value.length);
  return value;
}
