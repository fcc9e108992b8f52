package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads over an object of a class that is not known here: a field that only the other side's version of a class has may
 * hold one. Makes no object of the program.
 */
final class SkipCodec extends Serializer<Object> {

    private final CodecSession session;
    private final String announced;

    SkipCodec(CodecSession session, String announced) {
        this.session = session;
        this.announced = announced;
    }

    /** The type under which Kryo reads it: that of an enum if it was written without identity. */
    static Class<?> typeOf(String announced) {
        return layout(announced) != null && announced.charAt(announced.indexOf('#') + 1) == Layout.ENUM
                ? Thread.State.class
                : Skipped.class;
    }

    private static @Nullable String layout(String announced) {
        int mark = announced.indexOf('#');
        return mark < 0 || mark == announced.length() - 1 ? null : announced.substring(mark + 1);
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        throw new IllegalStateException("write of " + announced);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        String text = layout(announced);
        Skipped skipped = new Skipped(text == null ? announced : announced.substring(0, announced.indexOf('#')));
        if (announced.equals(Reference.class.getName())) {
            return new ReferenceCodec(unused -> skipped).read(kryo, input, type);
        }
        if (type == Skipped.class) {
            kryo.reference(skipped);
        }
        if (text != null) {
            skip(kryo, bounded, Layout.parse(text));
        } else if (announced.startsWith("[")) {
            for (int left = bounded.size(1); left > 0; left--) {
                bounded.skip(kryo);
            }
        } else {
            throw skipped.refusal();
        }
        return skipped;
    }

    private void skip(Kryo kryo, BoundedInput input, Layout layout) {
        switch (layout.kind()) {
            case Layout.ENUM -> input.readVarInt(true);
            case Layout.EXTERNALIZABLE, Layout.CODEC -> skip(List.of(), true);
            case Layout.THROWABLE -> {
                ThrowableCodec.skipHead(session, kryo, input);
                layout.levels().forEach(level -> skip(level.parts(), level.isWritten()));
            }
            case Layout.RECORD, Layout.CLASS, Layout.STREAM ->
                layout.levels().forEach(level -> skip(level.parts(), level.isWritten()));
            default -> throw SerialException.refused("type " + announced + " cannot be skipped");
        }
    }

    private void skip(List<Layout.Part> parts, boolean isWritten) {
        FieldMatch match = FieldMatch.of(announced, parts, List.of());
        try {
            new HookInput(session, new HookInput.Target(this, List.of(), match, new Shape[0]), !isWritten).end();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
