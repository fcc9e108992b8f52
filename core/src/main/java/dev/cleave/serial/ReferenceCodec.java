package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.function.Function;

/** Writes a {@link Reference}; reads it as the object to which it leads in this node. */
final class ReferenceCodec extends Serializer<Object> {

    private final Function<Reference, Object> arriving;

    ReferenceCodec(Function<Reference, Object> arriving) {
        this.arriving = arriving;
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Reference reference = (Reference) object;
        output.writeByte(reference.kind().ordinal());
        output.writeString(reference.type());
        output.writeString(reference.service());
        output.writeString(reference.owner().node());
        output.writeLong(reference.owner().incarnation());
        output.writeString(reference.owner().endpoint());
        write(output, reference.object());
        write(output, reference.sent());
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        Shape unused = ((BoundedInput) input).expected();
        int kind = input.readByte();
        if (kind < 0 || kind >= Reference.Kind.values().length) {
            throw SerialException.malformed("kind of a reference: " + kind + " (expected: 0..2)");
        }
        Reference read = new Reference(
                Reference.Kind.values()[kind],
                text(input),
                text(input),
                new Reference.Owner(text(input), input.readLong(), text(input)),
                number(input),
                number(input));
        Object object = arriving.apply(read);
        kryo.reference(object);
        return object;
    }

    private static void write(Output output, Reference.Number number) {
        output.writeLong(number.high());
        output.writeLong(number.low());
    }

    private static Reference.Number number(Input input) {
        return new Reference.Number(input.readLong(), input.readLong());
    }

    private static String text(Input input) {
        String read = input.readString();
        if (read == null) {
            throw SerialException.malformed("reference without a name (expected: one)");
        }
        return read;
    }
}
