package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectOutputStream.PutField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stream that {@code writeObject} of a class writes to: objects go through Kryo like all others, so that they keep
 * their identity and are checked; primitive values go into blocks between them.
 *
 * <pre>
 *   item ...          1 | varint length | bytes     primitive values
 *                     2 | object
 *                     3 | value of each field
 *                     0                             the end
 * </pre>
 */
final class HookOutput extends ObjectOutputStream {

    static final int END = 0;
    static final int BLOCK = 1;
    static final int OBJECT = 2;
    static final int FIELDS = 3;

    private final Kryo kryo;
    private final Output output;
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private final DataOutputStream data = new DataOutputStream(block);
    private final @Nullable Object object; // null if it has no fields of its own
    private final List<FieldSlot> slots;
    private @Nullable Values values;

    /** Creates a stream for the fields of an object, which may be none. */
    HookOutput(Kryo kryo, Output output, @Nullable Object object, List<FieldSlot> slots) throws IOException {
        this.kryo = kryo;
        this.output = output;
        this.object = object;
        this.slots = slots;
    }

    /** Writes the end. */
    void end() {
        endBlock();
        output.writeByte(END);
    }

    private void endBlock() {
        if (block.size() > 0) {
            output.writeByte(BLOCK);
            output.writeVarInt(block.size(), true);
            output.writeBytes(block.toByteArray());
            block.reset();
        }
    }

    @Override
    protected void writeObjectOverride(@Nullable Object value) {
        endBlock();
        output.writeByte(OBJECT);
        kryo.writeClassAndObject(output, value);
    }

    @Override
    public void writeUnshared(Object value) {
        throw SerialException.refused("writeUnshared (expected: writeObject)");
    }

    @Override
    public void defaultWriteObject() throws IOException {
        Object of = object;
        if (of == null) {
            throw new NotActiveException("not in writeObject");
        }
        endBlock();
        output.writeByte(FIELDS);
        for (FieldSlot slot : slots) {
            FieldMatch.write(kryo, output, slot.kind(), slot.get(of));
        }
    }

    @Override
    public PutField putFields() throws IOException {
        if (object == null) {
            throw new NotActiveException("not in writeObject");
        }
        Values made = values;
        if (made == null) {
            made = new Values(slots);
            values = made;
        }
        return made;
    }

    @Override
    public void writeFields() throws IOException {
        if (values == null) {
            throw new NotActiveException("no putFields");
        }
        endBlock();
        output.writeByte(FIELDS);
        for (int i = 0; i < slots.size(); i++) {
            FieldMatch.write(kryo, output, slots.get(i).kind(), requireNonNull(values).all[i]);
        }
    }

    @Override
    public void reset() {
        throw SerialException.refused("reset of the stream in writeObject (expected: objects keep their identity)");
    }

    @Override
    public void useProtocolVersion(int version) {}

    @Override
    public void write(int value) throws IOException {
        data.write(value);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        data.write(bytes);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        data.write(bytes, from, length);
    }

    @Override
    public void writeBoolean(boolean value) throws IOException {
        data.writeBoolean(value);
    }

    @Override
    public void writeByte(int value) throws IOException {
        data.writeByte(value);
    }

    @Override
    public void writeShort(int value) throws IOException {
        data.writeShort(value);
    }

    @Override
    public void writeChar(int value) throws IOException {
        data.writeChar(value);
    }

    @Override
    public void writeInt(int value) throws IOException {
        data.writeInt(value);
    }

    @Override
    public void writeLong(long value) throws IOException {
        data.writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws IOException {
        data.writeFloat(value);
    }

    @Override
    public void writeDouble(double value) throws IOException {
        data.writeDouble(value);
    }

    @Override
    public void writeBytes(String text) throws IOException {
        data.writeBytes(text);
    }

    @Override
    public void writeChars(String text) throws IOException {
        data.writeChars(text);
    }

    @Override
    public void writeUTF(String text) throws IOException {
        data.writeUTF(text);
    }

    @Override
    public void flush() {}

    @Override
    protected void drain() {}

    @Override
    public void close() {}

    /** The values of fields that a class gives by name. */
    private static final class Values extends PutField {

        private final List<FieldSlot> slots;
        private final @Nullable Object[] all;

        Values(List<FieldSlot> slots) {
            this.slots = slots;
            all = new @Nullable Object[slots.size()];
        }

        private void store(String name, @Nullable Object value, @Nullable Class<?> type) {
            for (int i = 0; i < all.length; i++) {
                Class<?> of = slots.get(i).type();
                if (slots.get(i).name().equals(name) && (type == null ? !of.isPrimitive() : of == type)) {
                    all[i] = value;
                    return;
                }
            }
            throw new IllegalArgumentException(
                    "no such field " + name + " of type " + (type == null ? "Object" : type.getName()));
        }

        @Override
        public void put(String name, boolean value) {
            store(name, value, boolean.class);
        }

        @Override
        public void put(String name, byte value) {
            store(name, value, byte.class);
        }

        @Override
        public void put(String name, char value) {
            store(name, value, char.class);
        }

        @Override
        public void put(String name, short value) {
            store(name, value, short.class);
        }

        @Override
        public void put(String name, int value) {
            store(name, value, int.class);
        }

        @Override
        public void put(String name, long value) {
            store(name, value, long.class);
        }

        @Override
        public void put(String name, float value) {
            store(name, value, float.class);
        }

        @Override
        public void put(String name, double value) {
            store(name, value, double.class);
        }

        @Override
        public void put(String name, @Nullable Object value) {
            store(name, value, null);
        }

        @Override
        @Deprecated
        public void write(ObjectOutput out) {
            throw new UnsupportedOperationException("deprecated (expected: writeFields)");
        }
    }
}
