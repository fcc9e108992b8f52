package dev.cleave.agent.effect;

/** A part of the heap, as coarse as the analysis tells parts apart. */
public sealed interface HeapRegion {

    /** Whether writing to one may be seen through the other, whatever the objects are. */
    boolean meets(HeapRegion other);

    /** A field, by name: owners in bytecode may name a subclass. */
    record Field(String name, String descriptor) implements HeapRegion {
        @Override
        public boolean meets(HeapRegion other) {
            return equals(other) || other instanceof Anything;
        }

        @Override
        public String toString() {
            return "field " + name;
        }
    }

    /**
     * The elements of arrays of one kind.
     *
     * @param kind I, J, F, D, B (boolean too), C, S or A
     */
    record Elements(char kind) implements HeapRegion {
        @Override
        public boolean meets(HeapRegion other) {
            boolean behindList = kind == 'A' && other instanceof Contents;
            return equals(other) || behindList || other instanceof Anything;
        }

        @Override
        public String toString() {
            return "elements of an array";
        }
    }

    /** What an object of the JDK holds: a collection, which may stand for an array of objects, or a text buffer. */
    record Contents() implements HeapRegion {
        @Override
        public boolean meets(HeapRegion other) {
            return equals(other) || other.equals(new Elements('A')) || other instanceof Anything;
        }

        @Override
        public String toString() {
            return "contents of a collection";
        }
    }

    /** How far an iterator has come: no part of what it iterates over. */
    record Cursor() implements HeapRegion {
        @Override
        public boolean meets(HeapRegion other) {
            return equals(other);
        }

        @Override
        public String toString() {
            return "an iterator";
        }
    }

    /** Everything that can be reached: what serialising an argument reads. */
    record Anything() implements HeapRegion {
        @Override
        public boolean meets(HeapRegion other) {
            return !(other instanceof Cursor);
        }

        @Override
        public String toString() {
            return "objects";
        }
    }
}
