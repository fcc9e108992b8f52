package dev.cleave.serial;

import com.esotericsoftware.kryo.Serializer;
import dev.cleave.Later;
import dev.cleave.ValueCodec;
import org.jspecify.annotations.Nullable;

/** Chooses the codec of a class. */
final class ObjectCodecs {

    private final CodecSession session;
    private final TypePolicy policy;

    ObjectCodecs(CodecSession session, TypePolicy policy) {
        this.session = session;
        this.policy = policy;
    }

    /** The codec of a class, or for what another version of it has written. */
    Serializer<?> codecOf(Class<?> type, @Nullable Layout sent) {
        Serializer<?> codec = plainCodecOf(type, sent);
        return Replacing.of(type).resolves() ? new ResolvingCodec(session, codec, type) : codec;
    }

    private Serializer<?> plainCodecOf(Class<?> type, @Nullable Layout sent) {
        ValueCodec<?> own = policy.codec(type);
        if (own != null) {
            return new ProgramCodec(session, own);
        }
        Serializer<?> known = JdkTypes.codec(type);
        if (known != null) {
            return known;
        }
        if (Throwable.class.isAssignableFrom(type)) {
            return new ThrowableCodec(session, type, sent);
        }
        if (type.isArray()) {
            return type.getComponentType().isPrimitive() ? new PrimitiveArrayCodec() : new ArrayCodec();
        }
        if (type == Placeholder.class) {
            return new PlaceholderCodec(session);
        }
        if (type == Reference.class) {
            return new ReferenceCodec(session::arriving);
        }
        Layout layout = sent == null ? Layouts.of(type) : sent;
        if (type.isEnum()) {
            return new EnumCodec(type, layout.names());
        }
        if (StreamForm.of(type) != null) {
            return new StreamCodec(session, type, layout);
        }
        FieldMatch match = sent == null
                ? null
                : FieldMatch.of(type.getName(), sent.levels().get(0).parts(), FieldSlot.of(ProgramFields.of(type)));
        return type.isRecord() ? new RecordCodec(type, match) : new FieldCodec(type, match);
    }

    /** The class as which objects of a class are written. */
    Class<?> wireType(Class<?> type) {
        if (Later.Value.class.isAssignableFrom(type)) {
            return Placeholder.class;
        }
        Class<?> above = type.getSuperclass();
        if (above != null && above.isEnum()) {
            return above;
        }
        ValueCodec<?> codec = policy.codec(type);
        if (codec != null) {
            return codec.type();
        }
        Class<?> copy = JdkTypes.isKnown(type) ? null : Views.copy(type);
        return copy == null ? type : copy;
    }
}
