package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.jspecify.annotations.Nullable;

/** An {@link Apart}: a group, or 0 and the length and bytes. It is read as itself, and only where no object is around it. */
final class ApartCodec extends Serializer<Apart> {

    @Override
    public void write(Kryo kryo, Output output, Apart apart) {
        byte @Nullable [] bytes = apart.bytes();
        output.writeByte(bytes == null ? apart.group() : 0);
        if (bytes != null) {
            output.writeVarInt(bytes.length, true);
            output.writeBytes(bytes);
        }
    }

    @Override
    public Apart read(Kryo kryo, Input input, Class<? extends Apart> type) {
        if (kryo.getDepth() > 1) {
            throw SerialException.malformed("a later value within an object");
        }
        int group = input.readByte();
        return group != 0 ? new Apart(group) : new Apart(input.readBytes(input.readVarInt(true)));
    }
}
