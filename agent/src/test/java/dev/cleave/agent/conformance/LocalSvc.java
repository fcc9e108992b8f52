package dev.cleave.agent.conformance;

import java.util.List;

/** A local implementation, no stub. */
public class LocalSvc implements Svc {

    @Override
    public int f(int x) {
        return x;
    }

    @Override
    public int g(int x) {
        return x;
    }

    @Override
    public int w(int x) {
        return x;
    }

    @Override
    public long lf(long x) {
        return x;
    }

    @Override
    public float ff(float x) {
        return x;
    }

    @Override
    public double df(double x) {
        return x;
    }

    @Override
    public boolean ok(int x) {
        return true;
    }

    @Override
    public String s(String text) {
        return text;
    }

    @Override
    public int[] row(int x) {
        return new int[x];
    }

    @Override
    public Object get(int x) {
        return x;
    }

    @Override
    public int sumOf(int[] values) {
        return values.length;
    }

    @Override
    public int weigh(Box box) {
        return box.value;
    }

    @Override
    public int both(int x, String text, long y, double z) {
        return x;
    }

    @Override
    public void put(int x) {}

    @Override
    public void checked(int x) throws Failure {}

    @Override
    public int read(int x) {
        return x;
    }

    @Override
    public int pure(int x) {
        return x;
    }

    @Override
    public String quote(String id) {
        return id;
    }

    @Override
    public int pureSum(int[] values) {
        return values.length;
    }

    @Override
    public int pureWeight(Box box) {
        return box.value;
    }

    @Override
    public int pureDouble(double x) {
        return (int) x;
    }

    @Override
    public int syncPure(int x) {
        return x;
    }

    @Override
    public int load(int key) {
        return key;
    }

    @Override
    public int peek(int key) {
        return key;
    }

    @Override
    public int store(int key, int value) {
        return value;
    }

    @Override
    public int sync(int x) {
        return x;
    }

    @Override
    public int plain(int x) {
        return x;
    }

    @Override
    public int tell(Hearer hearer, int x) {
        hearer.hear(x);
        return x;
    }

    @Override
    public int tellAll(List<Hearer> hearers, int x) {
        hearers.forEach(h -> h.hear(x));
        return x;
    }

    @Override
    public int tellIn(Letter letter) {
        return tell(letter.hearer(), letter.x());
    }

    @Override
    public int look(dev.cleave.Ref<Box> box) {
        return box.get().value();
    }

    @Override
    public List<String> more(List<String> names) {
        return names;
    }

    @Override
    public int count(List<String> names) {
        return names.size();
    }

    @Override
    public Integer maybe(int x) {
        return x;
    }

    @Override
    public Parcel parcel(int x) {
        return Parcel.of(f(x));
    }

    @Override
    public Wrapped wrapped(int x) {
        return new Wrapped(List.of(f(x)), List.of(x));
    }

    @Override
    public Bean bean(int x) {
        return Bean.of(new Bean(), f(x));
    }

    @Override
    public Filled filled(int x) {
        return new Filled();
    }

    @Override
    public Bean oddBean(int x) {
        return Bean.of(new OddBean(), f(x));
    }

    @Override
    public List<Parcel> parcels(int x) {
        return List.of(Parcel.of(f(x)));
    }

    @Override
    public List<String> names(int x) {
        return List.of();
    }

    @Override
    public void linkPut(int x) {}

    @Override
    public int linkNum(int x) {
        return x;
    }

    @Override
    public String linkText(String text) {
        return text;
    }

    @Override
    public int linkSum(int[] values) {
        return values.length;
    }

    @Override
    public void linkChecked(int x) {}

    @Override
    public Object linkObject(int x) {
        return x;
    }

    @Override
    public Integer boxed(Integer x) {
        return x + 1;
    }

    @Override
    public Integer linkBox(int x) {
        return x;
    }

    @Override
    public Integer linkBoxed(Integer x) {
        return x;
    }

    @Override
    public void shout(int x) {}

    @Override
    public int tryInt(int x) {
        return x;
    }

    @Override
    public boolean tryFlag(int x) {
        return x == 0;
    }

    @Override
    public int kept(int x) {
        return x;
    }

    @Override
    public int keptRead(int x) {
        return x;
    }

    @Override
    public int fill(int seed, int[] values) {
        return Restoring.fill(seed, values);
    }

    @Override
    public int turn(int[] values) {
        return Restoring.turn(values);
    }

    @Override
    public void blend(int[] from, int[] into) {
        Restoring.blend(from, into);
    }

    @Override
    public int grid(int seed, int[][] rows) {
        return Restoring.grid(seed, rows);
    }

    @Override
    public int snap(int key, int[] values) {
        return Restoring.fill(key, values);
    }

    @Override
    public int set(int key, int value) {
        return value;
    }

    @Override
    public int putDesk(int key, int value) {
        return value;
    }

    @Override
    public int desk(int key) {
        return key;
    }

    @Override
    public int shelf(int key) {
        return key;
    }
}
