package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.cleave.Later;
import org.jspecify.annotations.Nullable;

/**
 * Writes a {@link Placeholder}: its number, or 0 and the length and bytes of a small value. It is read as itself where
 * no object is around it; within an object it is read as the {@link Later.Value} that it stands for.
 */
final class PlaceholderCodec extends Serializer<Object> {

    private final CodecSession session;

    PlaceholderCodec(CodecSession session) {
        this.session = session;
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Placeholder placeholder =
                object instanceof Placeholder known ? known : session.placeholder((Later.Value<?>) object);
        byte @Nullable [] bytes = placeholder.bytes();
        output.writeVarInt(bytes == null ? placeholder.number() : 0, true);
        if (bytes != null) {
            output.writeVarInt(bytes.length, true);
            output.writeBytes(bytes);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        Shape value = ((BoundedInput) input).expected().argument(0);
        int number = input.readVarInt(true);
        Placeholder placeholder =
                number != 0 ? new Placeholder(number) : new Placeholder(input.readBytes(input.readVarInt(true)));
        return kryo.getDepth() > 1 ? session.value(placeholder, value) : placeholder;
    }
}
