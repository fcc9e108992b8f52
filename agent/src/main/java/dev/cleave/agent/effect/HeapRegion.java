package dev.cleave.agent.effect;

/** A part of the heap that the analysis distinguishes from others. */
public sealed interface HeapRegion {

    /** Whether a write to one may be visible in the other, whatever the objects are. */
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

    /**
     * The contents of an object of the JDK: a collection, which may be a view of an array of objects, or a text buffer.
     */
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

    /** The position of an iterator, which is no part of the collection that it iterates over. */
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

    /** All objects that can be reached from one: serialising an argument reads them. */
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
