package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.cleave.Later;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Apart}: a group, or 0 and the length and bytes. It is read as itself where no object is around it; within an object
 * it stands for a {@link Later.Value}, and is read as one.
 */
final class ApartCodec extends Serializer<Object> {

    private final KryoSession session;

    ApartCodec(KryoSession session) {
        this.session = session;
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Apart apart = object instanceof Apart known ? known : session.apart((Later.Value<?>) object);
        byte @Nullable [] bytes = apart.bytes();
        output.writeVarInt(bytes == null ? apart.group() : 0, true);
        if (bytes != null) {
            output.writeVarInt(bytes.length, true);
            output.writeBytes(bytes);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        Shape value = ((BoundedInput) input).expected().argument(0);
        int group = input.readVarInt(true);
        Apart apart = group != 0 ? new Apart(group) : new Apart(input.readBytes(input.readVarInt(true)));
        return kryo.getDepth() > 1 ? session.value(apart, value) : apart;
    }
}
