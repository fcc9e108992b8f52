package dev.cleave.kotlin;

import dev.cleave.ValueCodec;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;
import kotlin.collections.CollectionsKt;
import kotlin.collections.MapsKt;
import kotlin.collections.SetsKt;
import kotlin.collections.builders.ListBuilder;
import kotlin.collections.builders.MapBuilder;
import kotlin.collections.builders.SetBuilder;

/**
 * Writes collections of Kotlin's library that no interface names: what {@code emptyList()} and {@code buildList} return, and
 * their like.
 *
 * @param <T> the type of the collections
 */
public abstract class CollectionCodec<T> implements ValueCodec<T> {

    private final Class<T> type;

    @SuppressWarnings("unchecked") // of an object of the class
    private CollectionCodec(T example) {
        type = (Class<T>) example.getClass();
    }

    @Override
    public Class<T> type() {
        return type;
    }

    /** One that is always the same object. */
    private abstract static class Empty extends CollectionCodec<Object> {

        private final Object only;

        private Empty(Object only) {
            super(only);
            this.only = only;
        }

        @Override
        public void write(Object value, ObjectOutput out) {}

        @Override
        public Object read(ObjectInput in) {
            return only;
        }
    }

    /** Of {@code emptyList()}. */
    public static final class OfEmptyList extends Empty {

        /** For the service loader. */
        public OfEmptyList() {
            super(CollectionsKt.emptyList());
        }
    }

    /** Of {@code emptySet()}. */
    public static final class OfEmptySet extends Empty {

        /** For the service loader. */
        public OfEmptySet() {
            super(SetsKt.emptySet());
        }
    }

    /** Of {@code emptyMap()}. */
    public static final class OfEmptyMap extends Empty {

        /** For the service loader. */
        public OfEmptyMap() {
            super(MapsKt.emptyMap());
        }
    }

    /** One that has been built from its elements. */
    private abstract static class Built<T extends Collection<Object>> extends CollectionCodec<T> {

        private final Supplier<T> builder;

        private Built(Supplier<T> builder) {
            super(builder.get());
            this.builder = builder;
        }

        @Override
        public void write(T value, ObjectOutput out) throws IOException {
            out.writeInt(value.size());
            for (Object each : value) {
                out.writeObject(each);
            }
        }

        @Override
        public T read(ObjectInput in) throws IOException, ClassNotFoundException {
            T read = builder.get();
            for (int left = in.readInt(); left > 0; left--) { // ends where the bytes do
                read.add(in.readObject());
            }
            return built(read);
        }

        abstract T built(T builder);
    }

    /** Of {@code buildList}. */
    public static final class OfList extends Built<ListBuilder<Object>> {

        /** For the service loader. */
        public OfList() {
            super(() -> new ListBuilder<>(10));
        }

        @Override
        ListBuilder<Object> built(ListBuilder<Object> builder) {
            return builder.isEmpty() ? builder : (ListBuilder<Object>) builder.build();
        }
    }

    /** Of {@code buildSet}. */
    public static final class OfSet extends Built<SetBuilder<Object>> {

        /** For the service loader. */
        public OfSet() {
            super(SetBuilder::new);
        }

        @Override
        SetBuilder<Object> built(SetBuilder<Object> builder) {
            return builder.isEmpty() ? builder : (SetBuilder<Object>) builder.build();
        }
    }

    /** Of {@code buildMap}. */
    public static final class OfMap extends CollectionCodec<MapBuilder<Object, Object>> {

        /** For the service loader. */
        public OfMap() {
            super(new MapBuilder<>());
        }

        @Override
        public void write(MapBuilder<Object, Object> value, ObjectOutput out) throws IOException {
            out.writeInt(value.size());
            for (Map.Entry<Object, Object> each : value.entrySet()) {
                out.writeObject(each.getKey());
                out.writeObject(each.getValue());
            }
        }

        @Override
        public MapBuilder<Object, Object> read(ObjectInput in) throws IOException, ClassNotFoundException {
            MapBuilder<Object, Object> read = new MapBuilder<>();
            for (int left = in.readInt(); left > 0; left--) { // ends where the bytes do
                read.put(in.readObject(), in.readObject());
            }
            return read.isEmpty() ? read : (MapBuilder<Object, Object>) read.build();
        }
    }
}
