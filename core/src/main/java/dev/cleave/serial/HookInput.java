package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.Kryo;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotActiveException;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stream that {@code readObject} of a class reads: what a {@link HookOutput} has written. */
final class HookInput extends ObjectInputStream {

    private static final int UNKNOWN = -1;

    private final CodecSession session;
    private final Kryo kryo;
    private final BoundedInput input;
    private final @Nullable Target target; // null if there are no fields
    private final DataInputStream data = new DataInputStream(new Blocks());
    private final boolean isBare; // the fields alone were written
    private int item = UNKNOWN;
    private int left; // bytes of the block

    /**
     * The object whose fields are read.
     *
     * @param object the object
     * @param slots its fields
     * @param match of the fields that were sent
     * @param parts the declared types of the slots
     */
    record Target(Object object, List<FieldSlot> slots, FieldMatch match, Shape[] parts) {}

    /** Creates a stream; {@code isBare} if the fields were written without {@code writeObject}. */
    HookInput(CodecSession session, @Nullable Target target, boolean isBare) throws IOException {
        this.session = session;
        kryo = session.kryo();
        input = session.input();
        this.target = target;
        this.isBare = isBare;
        item = isBare ? HookOutput.FIELDS : UNKNOWN;
    }

    /** Skips what has not been read. */
    void end() {
        while (item() != HookOutput.END) {
            skipItem();
        }
    }

    /** The kind of the next item. */
    private int item() {
        while (item == UNKNOWN) {
            item = isBare ? HookOutput.END : input.readByte();
            if (item == HookOutput.BLOCK) {
                left = input.checked(input.readVarInt(true), 1);
            } else if (item < 0 || item > HookOutput.FIELDS) {
                throw SerialException.malformed("item of a stream: " + item + " (expected: 0..3)");
            }
            if (item == HookOutput.BLOCK && left == 0) {
                item = UNKNOWN;
            }
        }
        return item;
    }

    private void skipItem() {
        int kind = item();
        item = UNKNOWN;
        if (kind == HookOutput.BLOCK) {
            input.skip(left);
            left = 0;
        } else if (kind == HookOutput.OBJECT) {
            input.skip(kryo);
        } else if (target == null) {
            throw SerialException.malformed("fields in a stream (expected: none)");
        } else {
            target.match().readAll(kryo, input, target.parts());
        }
    }

    @Override
    protected @Nullable Object readObjectOverride() throws IOException {
        if (item() == HookOutput.FIELDS) {
            skipItem();
        }
        if (item() != HookOutput.OBJECT) {
            throw BareMaker.optionalData(item() == HookOutput.END);
        }
        item = UNKNOWN;
        return input.read(kryo, Shape.ANYTHING);
    }

    @Override
    public @Nullable Object readUnshared() throws IOException {
        return readObjectOverride();
    }

    @Override
    public void defaultReadObject() throws IOException {
        Target into = active();
        if (item() == HookOutput.FIELDS) {
            item = UNKNOWN;
            into.match().read(kryo, input, into.object(), into.parts());
        }
    }

    @Override
    public GetField readFields() throws IOException {
        Target of = active();
        if (item() != HookOutput.FIELDS) {
            return new Values(of, null);
        }
        item = UNKNOWN;
        return new Values(of, of.match().readAll(kryo, input, of.parts()));
    }

    private Target active() throws NotActiveException {
        if (target == null) {
            throw new NotActiveException("not in readObject");
        }
        return target;
    }

    @Override
    public void registerValidation(ObjectInputValidation validation, int priority) throws NotActiveException {
        active();
        session.hooks().validates(validation, priority);
    }

    @Override
    public int read() throws IOException {
        return data.read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        return data.read(bytes, from, length);
    }

    @Override
    public int available() {
        return item() == HookOutput.BLOCK ? left : 0;
    }

    @Override
    public boolean readBoolean() throws IOException {
        return data.readBoolean();
    }

    @Override
    public byte readByte() throws IOException {
        return data.readByte();
    }

    @Override
    public int readUnsignedByte() throws IOException {
        return data.readUnsignedByte();
    }

    @Override
    public char readChar() throws IOException {
        return data.readChar();
    }

    @Override
    public short readShort() throws IOException {
        return data.readShort();
    }

    @Override
    public int readUnsignedShort() throws IOException {
        return data.readUnsignedShort();
    }

    @Override
    public int readInt() throws IOException {
        return data.readInt();
    }

    @Override
    public long readLong() throws IOException {
        return data.readLong();
    }

    @Override
    public float readFloat() throws IOException {
        return data.readFloat();
    }

    @Override
    public double readDouble() throws IOException {
        return data.readDouble();
    }

    @Override
    public void readFully(byte[] bytes) throws IOException {
        data.readFully(bytes);
    }

    @Override
    public void readFully(byte[] bytes, int from, int length) throws IOException {
        data.readFully(bytes, from, length);
    }

    @Override
    public int skipBytes(int length) throws IOException {
        return data.skipBytes(length);
    }

    @Override
    public long skip(long length) throws IOException {
        return data.skip(length);
    }

    @Override
    @Deprecated
    @SuppressWarnings("NullAway") // null at the end
    public @Nullable String readLine() throws IOException {
        return data.readLine();
    }

    @Override
    public String readUTF() throws IOException {
        return data.readUTF();
    }

    @Override
    public void close() {}

    /** The bytes of the blocks up to the next object or the end. */
    private final class Blocks extends InputStream {

        @Override
        public int read() {
            if (item() == HookOutput.FIELDS) {
                skipItem();
            }
            if (item() != HookOutput.BLOCK) {
                return -1;
            }
            int value = input.readByte() & 0xff;
            if (--left == 0) {
                item = UNKNOWN;
            }
            return value;
        }

        @Override
        public int available() {
            return HookInput.this.available();
        }
    }

    /** The values of fields that a class asks for by name. */
    private static final class Values extends GetField {

        private final Target of;
        private final @Nullable Object @Nullable [] all; // null if none were sent

        Values(Target of, @Nullable Object @Nullable [] all) {
            this.of = of;
            this.all = all;
        }

        private int slot(String name) {
            for (int i = 0; i < of.slots().size(); i++) {
                if (of.slots().get(i).name().equals(name)) {
                    return i;
                }
            }
            throw new IllegalArgumentException("no such field " + name);
        }

        @SuppressWarnings({"unchecked", "NullAway"}) // the caller names the type
        private <T> @Nullable T value(String name, @Nullable T otherwise) {
            return defaulted(name) ? otherwise : (T) requireNonNull(all)[slot(name)];
        }

        @Override
        @SuppressWarnings("NullAway") // null: there is no such class
        public @Nullable ObjectStreamClass getObjectStreamClass() {
            return null;
        }

        @Override
        public boolean defaulted(String name) {
            return all == null || !of.match().isSent(slot(name));
        }

        @Override
        public boolean get(String name, boolean otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        public byte get(String name, byte otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        public char get(String name, char otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        public short get(String name, short otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        public int get(String name, int otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        public long get(String name, long otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        public float get(String name, float otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        public double get(String name, double otherwise) {
            return requireNonNull(value(name, otherwise));
        }

        @Override
        @SuppressWarnings("NullAway") // values may be null
        public @Nullable Object get(String name, @Nullable Object otherwise) {
            return value(name, otherwise);
        }
    }
}
