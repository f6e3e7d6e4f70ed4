import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Task } from '../../../index.ts';

interface SearchProps<Id extends Task | ''> {
  query: Signal<string>;
  task: Signal<Id>;
  /** Names of the two fields. */
  names: { search: string; task: string };
  /** The tasks to choose from. */
  tasks: readonly { id: Id; name: string }[];
}

/** Fields to search models by words and by task. */
export function SearchFields<Id extends Task | ''>(props: SearchProps<Id>): VNode {
  const { query, task, names, tasks } = props;
  const choose = (value: string) => {
    const found = tasks.find(({ id }) => id === value);
    if (found) task.value = found.id;
  };
  return (
    <>
      <input
        type="search"
        class="field"
        placeholder={names.search}
        aria-label={names.search}
        value={query.value}
        onInput={({ currentTarget }) => (query.value = currentTarget.value)}
      />
      <select
        class="field"
        aria-label={names.task}
        value={task.value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {tasks.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}
