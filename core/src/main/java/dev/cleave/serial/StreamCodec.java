package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.Externalizable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes an object of a class that controls its serialization: for each serializable class from the top what its
 * {@code writeObject} writes, else its fields. What the other side's version of the class has written is matched by the
 * names of classes and fields.
 */
final class StreamCodec extends Serializer<Object> {

    private final CodecSession session;
    private final Class<?> type;
    private final StreamForm form;
    private final List<Step> steps;

    /** The next part to read: that of a class of the other side, one of this side, or one that both have. */
    private record Step(Layout.@Nullable Level sent, StreamForm.@Nullable Level here, FieldMatch match) {}

    /** Creates the codec for objects that were written under a layout. */
    StreamCodec(CodecSession session, Class<?> type, Layout sent) {
        this.session = session;
        this.type = type;
        form = requireNonNull(StreamForm.of(type));
        steps = steps(type, sent.levels(), form.own());
    }

    private static List<Step> steps(Class<?> type, List<Layout.Level> sent, List<StreamForm.Level> own) {
        List<Step> steps = new ArrayList<>();
        int next = 0; // of our classes
        for (Layout.Level level : sent) {
            int found = next;
            while (found < own.size() && !own.get(found).type().getName().equals(level.type())) {
                found++;
            }
            if (found == own.size()) {
                steps.add(new Step(level, null, FieldMatch.of(type.getName(), level.parts(), List.of())));
                continue;
            }
            for (; next < found; next++) {
                steps.add(missing(type, own.get(next)));
            }
            StreamForm.Level here = own.get(next++);
            steps.add(new Step(level, here, FieldMatch.of(type.getName(), level.parts(), here.slots())));
        }
        for (; next < own.size(); next++) {
            steps.add(missing(type, own.get(next)));
        }
        return steps;
    }

    private static Step missing(Class<?> type, StreamForm.Level here) {
        return new Step(null, here, FieldMatch.of(type.getName(), List.of(), here.slots()));
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        try {
            if (form.isExternalizable()) {
                HookOutput stream = new HookOutput(kryo, output, null, List.of());
                ((Externalizable) object).writeExternal(stream);
                stream.end();
            } else {
                writeLevels(kryo, output, object);
            }
        } catch (IOException e) {
            throw ProgramCode.failed(type.getName() + ".writeExternal", e, SerialException.Reason.REFUSED);
        }
    }

    /** Writes the parts of the classes. */
    void writeLevels(Kryo kryo, Output output, Object object) throws IOException {
        for (StreamForm.Level level : form.own()) {
            Method writer = level.writer();
            if (writer != null) {
                HookOutput stream = new HookOutput(kryo, output, object, level.slots());
                call(writer, object, SerialException.Reason.REFUSED, stream);
                stream.end();
            } else {
                for (FieldSlot slot : level.slots()) {
                    FieldMatch.write(kryo, output, slot.kind(), slot.get(object));
                }
            }
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> of) {
        Shape[] parts = session.input().expected().parts(type);
        session.input().work().runs(type);
        Object object = form.make();
        kryo.reference(object);
        try {
            if (form.isExternalizable()) {
                HookInput stream = new HookInput(session, null, false);
                ((Externalizable) object).readExternal(stream);
                stream.end();
            } else {
                readLevels(object, parts);
            }
            return object;
        } catch (IOException | ClassNotFoundException e) {
            throw ProgramCode.failed(type.getName() + ".readExternal", e, SerialException.Reason.MALFORMED);
        }
    }

    /**
     * Reads the parts of the classes.
     *
     * @param parts the declared types of the fields of the object
     */
    void readLevels(Object object, Shape[] parts) throws IOException {
        List<Field> fields = ProgramFields.of(type);
        for (Step step : steps) {
            StreamForm.Level here = step.here();
            Layout.Level sent = step.sent();
            if (here == null) {
                skip(requireNonNull(sent), step.match());
                continue;
            }
            if (sent == null) {
                if (here.noData() != null) {
                    call(here.noData(), object, SerialException.Reason.MALFORMED);
                }
                continue;
            }
            Shape[] shapes = here.slots().stream()
                    .map(s -> fields.indexOf(s.field()) < 0 ? s.shape() : parts[fields.indexOf(s.field())])
                    .toArray(Shape[]::new);
            HookInput stream = new HookInput(
                    session, new HookInput.Target(object, here.slots(), step.match(), shapes), !sent.isWritten());
            if (here.reader() != null) {
                call(here.reader(), object, SerialException.Reason.MALFORMED, stream);
            } else {
                stream.defaultReadObject();
            }
            stream.end();
        }
    }

    private void skip(Layout.Level sent, FieldMatch match) throws IOException {
        HookInput.Target nowhere = new HookInput.Target(this, List.of(), match, new Shape[0]);
        new HookInput(session, nowhere, !sent.isWritten()).end();
    }

    private void call(Method hook, Object object, SerialException.Reason reason, Object... arguments) {
        try {
            hook.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw ProgramCode.failed(
                    hook.getDeclaringClass().getName() + "." + hook.getName(), e.getTargetException(), reason);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
