package dev.cleave.call;

import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.stream.ReceiveBudget;
import org.jspecify.annotations.Nullable;

/** A call as the link that carries it sees it. */
public abstract class LinkCall extends PendingCall {

    /** Creates a call that has not been sent. */
    protected LinkCall(RemoteMethod method) {
        super(method);
    }

    /** Reads and writes its values. */
    protected abstract Codec codec();

    /** The one that it has come to has sent an answer, which is read next. On the event thread. */
    protected void answeredBy(PeerTables peer) {}

    /** Whether the program gets the result of the call as a streamed value, of whatever type the method is. */
    protected boolean isShown() {
        return false;
    }

    /** Whether it was sent before its caller had come to its place, and that has not yet. */
    protected boolean isBeforeItsPlace() {
        return false;
    }

    /**
     * Its result of so many bytes is about to come. On the event thread.
     *
     * @return where the memory for its large values is taken from
     */
    protected ReceiveBudget.Room arrives(long bytes) {
        return ReceiveBudget.Room.ARRIVING;
    }

    /** Its result of so many bytes has come as a whole. On the event thread. */
    protected void arrived(int bytes) {}

    /** The call ends with a result whose stream goes on. On the event thread. */
    protected void arrives(ResultStream result) {}

    /** The peer has been silent for long: a call that may be executed again may go elsewhere. On the event thread. */
    protected void suspected() {}

    /** The broker hears nothing of the replica that the call is at, and there is another one. On the event thread. */
    protected void replicaSuspected() {}

    /** The server has said that it works on the call. On the event thread. */
    protected void begun() {}

    /** It has not begun where it waited, and is to be sent to another replica. On the event thread. */
    protected abstract void moved(String replica);

    /** The link that carried it is gone; the call is no longer in the link's table. On the event thread. */
    protected abstract void lost(@Nullable Throwable cause);

    /**
     * An answer says that the call failed in a way that need not be the end of it.
     *
     * @return whether the call lives on
     */
    protected abstract boolean sendAgain(FailureClass failure, String why);
}
