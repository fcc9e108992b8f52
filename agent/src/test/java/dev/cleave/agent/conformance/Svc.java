package dev.cleave.agent.conformance;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.InOut;
import dev.cleave.OneWay;
import dev.cleave.Out;
import dev.cleave.Pure;
import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import dev.cleave.Sync;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The remote interface that the programs call. */
@Remote
public interface Svc {

    @Async
    int f(int x);

    @Async
    int g(int x);

    @Async(window = 4)
    int w(int x);

    @Async
    long lf(long x);

    @Async
    float ff(float x);

    @Async
    double df(double x);

    @Async
    boolean ok(int x);

    @Async
    String s(String text);

    @Async
    int[] row(int x);

    @Async
    Integer boxed(Integer x);

    @Async
    Object get(int x);

    @Async
    int sumOf(int[] values);

    @Async
    int weigh(Box box);

    @Async
    int both(int x, String text, long y, double z);

    @Async
    void put(int x);

    @Async
    void checked(int x) throws Failure;

    @ReadOnly
    int read(int x);

    @Pure
    int pure(int x);

    @Pure
    String quote(String id);

    @Pure
    int pureSum(int[] values);

    @Pure
    int pureWeight(Box box);

    @Pure
    int pureDouble(double x);

    @Sync
    @Pure
    int syncPure(int x);

    @ReadOnly
    int load(int key);

    @ReadOnly(maxAge = "1h")
    int peek(int key);

    @Async
    int set(int key, int value);

    @Sync
    int store(int key, int value);

    @Sync
    int sync(int x);

    int plain(int x);

    @Async
    List<String> names(int x);

    @Async
    List<String> more(List<String> names);

    @Async
    Parcel parcel(int x);

    @Async
    List<Parcel> parcels(int x);

    @Async
    Bean bean(int x);

    @Async
    Filled filled(int x);

    /** Beans of another class. */
    @Async
    Bean oddBean(int x);

    @Async
    Wrapped wrapped(int x);

    @Async
    int count(List<String> names);

    @Async
    Integer maybe(int x);

    @Chained
    void linkPut(int x);

    @Chained
    int linkNum(int x);

    @Chained(window = 4)
    String linkText(String text);

    @Chained
    int linkSum(int[] values);

    @Chained
    void linkChecked(int x) throws Failure;

    @Chained
    Object linkObject(int x);

    @Chained
    Integer linkBox(int x);

    @Chained
    Integer linkBoxed(Integer x);

    @OneWay
    void shout(int x);

    @Async(speculative = true)
    int tryInt(int x);

    @Async(speculative = true)
    boolean tryFlag(int x);

    @Async(group = "kept")
    int kept(int x);

    @Async(group = "kept")
    @ReadOnly
    int keptRead(int x);

    @Async(group = "desk")
    int putDesk(int key, int value);

    @Async(group = "desk")
    @ReadOnly(maxAge = "1h")
    int desk(int key);

    @Async(group = "shelf")
    @ReadOnly(maxAge = "1h")
    int shelf(int key);

    /** A result of a class that others may extend. */
    class Bean implements Serializable {

        private static final long serialVersionUID = 1L;

        private int number;
        private String name = "";
        private List<Integer> keys = new ArrayList<>();

        public static <B extends Bean> B of(B bean, int x) {
            Bean made = bean;
            made.number = x & 15;
            made.name = " n" + made.number + " ";
            made.keys.addAll(List.of(made.number % 5, made.number % 3, 2));
            return bean;
        }

        public int getNumber() {
            return number;
        }

        public void setNumber(int number) {
            this.number = number;
        }

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public List<Integer> getKeys() {
            return keys;
        }

        public void setKeys(List<Integer> keys) {
            this.keys = keys;
        }
    }

    /** A result in which a method that its constructor calls puts a list that counts how often it is looked through. */
    class Filled implements Serializable {

        private static final long serialVersionUID = 1L;
        private static int looks;

        private List<Integer> keys = new ArrayList<>();

        public Filled() {
            fill();
        }

        private void fill() {
            keys = new ArrayList<>(List.of(1, 2)) {
                private static final long serialVersionUID = 1L;

                @Override
                public Iterator<Integer> iterator() {
                    looks++;
                    return super.iterator();
                }
            };
        }

        public static int looks() {
            return looks;
        }

        public static void reset() {
            looks = 0;
        }

        public List<Integer> getKeys() {
            return keys;
        }
    }

    /** One that counts how often it is looked at. */
    class OddBean extends Bean {

        private static final long serialVersionUID = 1L;
        private static int looks;

        public static int looks() {
            return looks;
        }

        public static void reset() {
            looks = 0;
        }

        @Override
        public int getNumber() {
            return super.getNumber() + looks++;
        }

        @Override
        public List<Integer> getKeys() {
            looks += 3;
            return new ArrayList<>(super.getKeys()) {
                private static final long serialVersionUID = 1L;

                @Override
                public Iterator<Integer> iterator() {
                    looks++;
                    return super.iterator();
                }
            };
        }
    }

    /** A result that holds collections. */
    record Parcel(int number, String name, List<Part> parts, Map<String, Integer> marks) implements Serializable {

        public static Parcel of(int x) {
            int number = x & 15;
            List<Part> parts = new ArrayList<>();
            for (int i = 0; i < number % 3 + 1; i++) {
                parts.add(new Part("p" + (number + i) % 5, number + i, List.of(i, number)));
            }
            return new Parcel(number, "n" + number, parts, Map.of("m" + number % 4, number));
        }
    }

    /** A result whose constructor puts other lists into it than it is given. */
    record Wrapped(List<Integer> keys, List<Integer> copied) implements Serializable {

        /** How often such a list was looked through. */
        private static int looks;

        public Wrapped {
            keys = new Counted(keys);
            copied = List.copyOf(copied);
        }

        public static int looks() {
            return looks;
        }

        public static void reset() {
            looks = 0;
        }

        private static final class Counted extends ArrayList<Integer> {

            private static final long serialVersionUID = 1L;

            Counted(List<Integer> keys) {
                super(keys);
            }

            @Override
            public Iterator<Integer> iterator() {
                looks++;
                return super.iterator();
            }
        }
    }

    /** A part of a result. */
    record Part(String name, int count, List<Integer> tags) implements Serializable {}

    /** A mutable argument. */
    final class Box {
        public int value;
        public Box next;

        public Box(int value) {
            this.value = value;
        }

        public int value() {
            return value;
        }
    }

    @Async
    int fill(int seed, @Out int[] values);

    @Async
    int turn(@InOut int[] values);

    @Async
    void blend(int[] from, @InOut int[] into);

    @Async
    int grid(int seed, @Out int[][] rows);

    @ReadOnly
    int snap(int key, @Out int[] values);

    @Async
    int tell(Hearer hearer, int x);

    @Async
    int tellAll(List<Hearer> hearers, int x);

    @Async
    int tellIn(Letter letter);

    @Async
    int look(dev.cleave.Ref<Box> box);

    /** Is called back. */
    @Remote
    interface Hearer {
        void hear(int x);
    }

    /** A value that leads to an object which is called back. */
    record Letter(Hearer hearer, int x) {}

    /** A declared exception. */
    final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        public Failure(String message) {
            super(message);
        }
    }
}
