package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.ArrivedBlocks;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.ValueReader;
import dev.cleave.stream.Inflow;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A call and its arguments: in its frame, which this owns until they are read or the call is dropped, and behind it. */
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
    private volatile @Nullable Arrival arrival; // of large arguments
    private @Nullable ValueReader in;
    private @Nullable Object @Nullable [] ready; // the arguments, if they have been read before the call runs
    private Phase phase = Phase.ARGUMENTS;

    /** Takes over {@code frame}, whose reader index is at the arguments. */
    CallWithArguments(Link link, RequestHead head, ByteBuf frame, Exported exported, RemoteMethod method) {
        super(link, head, exported, method);
        request = frame;
    }

    /** As new, for the arguments of another call. */
    void takes(ByteBuf frame) {
        request = frame;
        arrival = null;
        ready = null;
        phase = Phase.ARGUMENTS;
    }

    Phase phase() {
        return phase;
    }

    /** It has come so far. */
    void comesTo(Phase now) {
        phase = now;
    }

    /** Its large arguments; null if it has none. */
    @Nullable
    Arrival arrival() {
        return arrival;
    }

    /** Where the arguments are read from. */
    public ValueReader arguments() {
        AnnouncedNames names = link().tables(peer()).types();
        Arrival large = arrival;
        ArrivedBlocks values = large == null ? ArrivedBlocks.none() : large.values();
        ValueReader known = in;
        ValueReader reader = known != null && known.isOf(exported().codec())
                ? known.again(requireNonNull(request), names, values)
                : exported().codec().reader(requireNonNull(request), names, values);
        in = reader;
        return reader.expecting(method().declared().objects()).until(this);
    }

    /** Large arguments are on their way. */
    void receives(Inflow arriving) {
        boolean early = exported().order().later().takesReady(method())
                && !exported().order().ratings().rates(method());
        arrival = new Arrival((Invocation) this, arriving, early);
    }

    /** Whether all arguments have come without which the method cannot begin. */
    boolean hasArrived() {
        Arrival large = arrival;
        return large == null || large.isReady();
    }

    /** Runs a task when the method can begin, or now if it can; never if the call is dropped or refused before. */
    void whenArrived(Runnable task) {
        Arrival large = arrival;
        if (large == null) {
            task.run();
        } else {
            large.whenReady(task);
        }
    }

    /** The arguments have been read, the method begins. */
    public void begin() {
        boolean rest = !requireNonNull(in).isAtEnd();
        releaseFrame();
        Arrival large = arrival;
        if (large != null) {
            large.read();
        }
        if (rest) {
            throw new SerialException(SerialException.Reason.MALFORMED, "bytes after the last argument", null);
        }
        phase = Phase.RUNNING;
    }

    /** The arguments of a call whose method has a priority, or takes some while they arrive; the method begins. */
    public @Nullable Object[] ready() {
        @Nullable Object @Nullable [] known = ready;
        if (known != null) {
            phase = Phase.RUNNING;
            return known;
        }
        @Nullable Object[] read = new @Nullable Object[method().method().getParameterCount()];
        ArrivingArguments arriving = exported().order().later().read(method(), arguments(), read);
        begin();
        if (arriving != null) {
            arriving.handOver();
        }
        return read;
    }

    /** Whether they have been read, before the method begins. */
    boolean areRead() {
        return ready != null;
    }

    /** Reads them before the method begins, to know the priority of the call. */
    @Nullable
    Object[] readAhead() {
        try (ValueReader reader = arguments()) {
            @Nullable Object[] read = new @Nullable Object[method().method().getParameterCount()];
            exported().order().later().read(method(), reader, read);
            begin();
            phase = Phase.ARGUMENTS;
            ready = read;
            return read;
        }
    }

    /** Puts in the arguments that are results of others; false if that cannot be done. */
    boolean complete() {
        ByteBuf frame = request;
        if (frame == null || !turn().lacksArguments()) {
            return true;
        }
        ByteBuf whole = turn().complete(frame);
        if (whole != null) {
            request = whole;
        }
        return whole != null;
    }

    /** Nobody reads them any more. */
    void releaseRequest() {
        releaseFrame();
        closeArrival();
    }

    void releaseFrame() {
        ByteBuf frame = request;
        request = null;
        if (frame != null) {
            frame.release();
        }
    }

    /** The call has been answered. */
    void closeArrival() {
        Arrival large = arrival;
        if (large != null && !large.isKept()) {
            large.close();
        }
    }

    /** Nothing is read any more. */
    void endReading() {
        releaseFrame();
        if (in != null) {
            in.close();
        }
    }
}
