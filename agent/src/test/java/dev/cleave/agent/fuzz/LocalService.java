package dev.cleave.agent.fuzz;

import java.util.AbstractList;
import java.util.List;

/** An implementation in the caller's own process: its calls change the caller's heap, and so must run in their place. */
final class LocalService implements FuzzService {

    private final ScriptedStub through;
    private final FuzzProgram program;

    LocalService(ScriptedServer server, FuzzProgram program) {
        this.through = new ScriptedStub("local", server);
        this.program = program;
    }

    @Override
    public int get(int key) {
        program.f += 3;
        return through.get(key);
    }

    @Override
    public long num(long key) {
        program.arr[0]++;
        return through.num(key);
    }

    @Override
    public String name(int key) {
        program.sb.append('#');
        return through.name(key);
    }

    @Override
    public void put(int key, int value) {
        program.arr[1] = value;
        through.put(key, value);
    }

    @Override
    public int checked(int key) throws FuzzFailure {
        program.f++;
        return through.checked(key);
    }

    @Override
    public int sum(int[] values) {
        values[0]++;
        return through.sum(values);
    }

    @Override
    public int[] row(int key) {
        return program.arr;
    }

    @Override
    public Crate crate(int key) {
        program.f += 5;
        Crate crate = through.crate(key);
        return new Crate(
                crate.number(), new CountedList<>(crate.keys()), new CountedList<>(crate.items()), crate.marks());
    }

    /** A list that the program can see being read. */
    private final class CountedList<T> extends AbstractList<T> {

        private final List<T> list;

        CountedList(List<T> list) {
            this.list = list;
        }

        @Override
        public T get(int index) {
            program.f++;
            return list.get(index);
        }

        @Override
        public int size() {
            return list.size();
        }
    }

    @Override
    public boolean flag(int key) {
        return through.flag(key);
    }

    @Override
    public int calc(int key) {
        program.f++;
        return through.calc(key);
    }

    @Override
    public int calcSum(int[] values) {
        values[0]++;
        return through.calcSum(values);
    }

    @Override
    public int look(int key) {
        program.arr[1]++;
        return through.look(key);
    }

    @Override
    public int peek(int key) {
        return through.peek(key);
    }

    @Override
    public int set(int key, int value) {
        program.f += 5;
        return through.set(key, value);
    }

    @Override
    public int store(int key, int value) {
        return through.store(key, value);
    }

    @Override
    public int barrier(int key) {
        return through.barrier(key);
    }

    @Override
    public void push(int key, int value) {
        program.f += value;
        through.push(key, value);
    }

    @Override
    public int pull(int key) {
        program.arr[2] += key;
        return through.pull(key);
    }

    @Override
    public String label(int key) {
        program.sb.append('!');
        return through.label(key);
    }

    @Override
    public int spec(int key) {
        program.f += 5;
        return through.spec(key);
    }

    @Override
    public boolean perhaps(int key) {
        program.f += 11;
        return through.perhaps(key);
    }

    @Override
    public void note(int key) {
        program.sb.append('n').append(key);
        through.note(key);
    }

    @Override
    public int tick(int key) {
        program.arr[0] += 2;
        return through.tick(key);
    }

    @Override
    public int tell(FuzzHearer hearer, int key) {
        return through.tell(hearer, key);
    }

    @Override
    public void tip(int key) {
        program.f += key;
        through.tip(key);
    }
}
