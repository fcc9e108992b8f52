package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.call.ParameterPlan;
import dev.cleave.call.ParameterPlan.Direction;
import dev.cleave.call.RemoteMethod;
import dev.cleave.later.LaterArguments;
import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.ArrayShape;
import dev.cleave.serial.CopyRestore;
import dev.cleave.serial.ReceivedBlocks;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.ValueReader;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A call and its arguments: in its frame, which this owns until they are read or the call is dropped, and behind it.
 */
abstract class CallWithArguments extends ReceivedCall {

    /** How far the call has come; says whether a failure means that the method ran. */
    enum Phase {
        /** The method has not begun. */
        ARGUMENTS,
        /** The method runs, or has thrown. */
        RUNNING,
        /** The method has returned. */
        RESULT,
        /** The method has returned a future, which answers. */
        FUTURE
    }

    private @Nullable ByteBuf request;
    private @Nullable PassedArguments passed; // results of other calls
    private volatile @Nullable ArgumentStream stream; // of large arguments
    private @Nullable ValueReader in;
    private @Nullable CopyRestore restored;
    private long shapedBytes; // of arrays of @Out parameters
    private @Nullable Object @Nullable [] ready; // the arguments, if they have been read before the call runs
    private Phase phase = Phase.ARGUMENTS;

    /** Takes over {@code frame}, whose reader index is at the arguments. */
    CallWithArguments(Link link, RequestHead head, ByteBuf frame, Exported exported, RemoteMethod method) {
        super(link, head, exported, method);
        request = frame;
    }

    /** Resets the object for the arguments of another call. */
    void takes(ByteBuf frame) {
        request = frame;
        stream = null;
        passed = null;
        ready = null;
        phase = Phase.ARGUMENTS;
    }

    Phase phase() {
        return phase;
    }

    /** Records how far the call has come. */
    void comesTo(Phase now) {
        phase = now;
    }

    /** Returns the stream of its large arguments; null if it has none. */
    @Nullable
    ArgumentStream stream() {
        return stream;
    }

    /** Makes the array of an {@code @Out} parameter; room for it is taken until the call ends. */
    public @Nullable Object shaped(int @Nullable [] shape, Class<?> type) {
        shapedBytes += ArrayShape.reserve(shape);
        return ArrayShape.array(shape, type);
    }

    /** Remembers the arguments that the answer restores; the method is called next. */
    public void remember(@Nullable Object[] arguments) {
        restored = method().plan().rememberServed(arguments);
    }

    /** Returns the answer of a method that has changed arguments. */
    Object restoring(@Nullable Object result) {
        return requireNonNull(restored).answer(result);
    }

    private void releaseShapes() {
        restored = null;
        if (shapedBytes > 0) {
            ArrayShape.release(shapedBytes);
            shapedBytes = 0;
        }
    }

    /** Returns the reader of the arguments. */
    public ValueReader arguments() {
        AnnouncedNames names = link().tables(peer()).types();
        ArgumentStream known = stream;
        ReceivedBlocks own = known == null ? ReceivedBlocks.none() : known.values();
        ReceivedBlocks values = passed == null ? own : own.and(passed.arrays());
        ValueReader spare = in;
        ValueReader reader = spare != null && spare.isOf(exported().codec())
                ? spare.again(requireNonNull(request), names, values)
                : exported().codec().reader(requireNonNull(request), names, values);
        in = reader;
        PassedArguments results = passed;
        if (results != null) {
            reader.supplying(results.objects());
        }
        return reader.expecting(method().plan().objects()).until(this);
    }

    /** Records that large arguments are on their way. */
    void receives(StreamReceiver arriving) {
        boolean early = exported().order().early().has(method())
                && !exported().order().ratings().rates(method());
        stream = new ArgumentStream(service(), method(), this::remainingNanos, arriving, early);
    }

    /** Whether all arguments have come without which the method cannot begin. */
    boolean hasArrived() {
        ArgumentStream known = stream;
        return known == null || known.isReady();
    }

    /** Runs a task when the method can begin, or now if it can; never if the call is dropped or refused before. */
    void whenArrived(Runnable task) {
        ArgumentStream known = stream;
        if (known == null) {
            task.run();
        } else {
            known.whenReady(task);
        }
    }

    /** The arguments have been read, the method begins. */
    public void begin() {
        boolean rest = !requireNonNull(in).isAtEnd();
        releaseFrame();
        passed = null;
        ArgumentStream known = stream;
        if (known != null) {
            known.read();
        }
        if (rest) {
            throw new SerialException(SerialException.Reason.MALFORMED, "bytes after the last argument", null);
        }
        phase = Phase.RUNNING;
    }

    /** The arguments of a call whose method has a priority, or begins early; the method begins. */
    public @Nullable Object[] ready() {
        if (ready == null) {
            StreamedArguments unused = read(); // none is streamed, see handOver
        }
        @Nullable Object[] known = requireNonNull(ready);
        ready = null;
        phase = Phase.RUNNING;
        return known;
    }

    /** Hands streamed arguments to the method, which this thread calls next; null if none are arriving. */
    LaterArguments.@Nullable Handover handOver() {
        if (stream == null || ready != null || !exported().order().early().has(method())) {
            return null;
        }
        StreamedArguments arriving = read();
        return arriving == null ? null : arriving.handedOver();
    }

    private @Nullable StreamedArguments read() {
        @Nullable Object[] read = new @Nullable Object[method().method().getParameterCount()];
        StreamedArguments arriving = exported().order().early().read(method(), arguments(), read);
        for (ParameterPlan parameter : method().plan().restored()) {
            if (parameter.direction() == Direction.OUT) {
                read[parameter.place()] = shaped((int[]) read[parameter.place()], parameter.type());
            }
        }
        begin();
        phase = Phase.ARGUMENTS;
        ready = read;
        return arriving;
    }

    /** Whether they have been read, before the method begins. */
    boolean areRead() {
        return ready != null;
    }

    /** Reads them before the method begins, to know the priority of the call. */
    @Nullable
    Object[] readAhead() {
        try {
            StreamedArguments unused = read(); // a method that has a priority takes its arguments whole
            return requireNonNull(ready);
        } finally {
            closeReader();
        }
    }

    /** Inserts the arguments that are results of other calls; returns false if that cannot be done. */
    boolean complete() {
        ByteBuf frame = request;
        if (frame == null || !turn().lacksArguments()) {
            return true;
        }
        ArgumentStream known = stream;
        int arrays = known == null ? 0 : known.values().arrays();
        PassedArguments whole = turn().complete(
                        frame, new PassedArguments.Lacking(method(), exported().codec(), arrays, this));
        if (whole != null) {
            request = whole.frame();
            passed = whole;
        }
        return whole != null;
    }

    /** Releases the arguments: they are not read any more. */
    void releaseRequest() {
        releaseShapes();
        releaseFrame();
        closeStream();
    }

    void releaseFrame() {
        ByteBuf frame = request;
        request = null;
        if (frame != null) {
            frame.release();
        }
    }

    /** Records that the call has been answered. */
    void closeStream() {
        ArgumentStream known = stream;
        if (known != null && !known.isKept()) {
            known.close();
        }
    }

    /** Stops reading. */
    void endReading() {
        releaseShapes();
        releaseFrame();
        closeReader();
    }

    private void closeReader() {
        if (in != null) {
            in.close();
        }
    }
}
