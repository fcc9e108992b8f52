package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.cleave.ValueCodec;
import java.io.IOException;
import java.util.List;

/** Writes objects by a codec of the program, as the items of a {@link HookOutput}. */
final class ProgramCodec extends Serializer<Object> {

    private final CodecSession session;
    private final ValueCodec<Object> codec;

    @SuppressWarnings("unchecked") // written and read are objects of its type alone
    ProgramCodec(CodecSession session, ValueCodec<?> codec) {
        this.session = session;
        this.codec = (ValueCodec<Object>) codec;
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        try {
            HookOutput stream = new HookOutput(kryo, output, null, List.of());
            codec.write(object, stream);
            stream.end();
        } catch (IOException | RuntimeException e) { // code of the program
            throw ProgramCode.failed(codec.getClass().getName(), e, SerialException.Reason.REFUSED);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        session.input().expected();
        session.input().work().runs(codec.getClass());
        try {
            HookInput stream = new HookInput(session, null, false);
            Object read = codec.read(stream);
            stream.end();
            if (!codec.type().isInstance(read)) {
                throw SerialException.malformed(codec.getClass().getName() + " has read "
                        + (read == null ? "null" : read.getClass().getName()) + " (expected: "
                        + codec.type().getName() + ")");
            }
            return read;
        } catch (IOException | ClassNotFoundException | RuntimeException e) { // code of the program
            throw ProgramCode.failed(codec.getClass().getName(), e, SerialException.Reason.MALFORMED);
        }
    }
}
