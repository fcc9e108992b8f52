package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Reads objects of a class with {@code readResolve}: what it returns takes their place, also in later references. */
final class ResolvingCodec extends Serializer<Object> {

    private final CodecSession session;
    private final Serializer<Object> codec;
    private final Replacing replacing;

    @SuppressWarnings("unchecked") // a codec of the type
    ResolvingCodec(CodecSession session, Serializer<?> codec, Class<?> type) {
        this.session = session;
        this.codec = (Serializer<Object>) codec;
        replacing = Replacing.of(type);
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        codec.write(kryo, output, object);
    }

    @Override
    @SuppressWarnings("NullAway") // Kryo reads null as any value
    public Object read(Kryo kryo, Input input, Class<?> type) {
        int number = session.lastRead();
        Object read = codec.read(kryo, input, type);
        Object resolved = replacing.resolved(read);
        session.resolved(number, resolved);
        return resolved;
    }
}
