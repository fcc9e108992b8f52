package dev.cleave.call;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.DeniedException;
import dev.cleave.NoReplicaException;
import dev.cleave.NoSuchMethodOnServerException;
import dev.cleave.NoSuchReferenceException;
import dev.cleave.OverloadException;
import dev.cleave.ProtocolException;
import dev.cleave.RefusedTypeException;
import dev.cleave.WaitCycleException;
import dev.cleave.serial.SerialException;
import dev.cleave.text.Printable;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps error codes to exceptions and back; no other class does. */
public final class Failures {

    /** The class name of the frame that parts the stack of the caller, above it, from that of the server, below. */
    public static final String MARKER = "---- on the server ----";

    private Failures() {}

    /** Creates the exception of an error code. */
    public static CallException exception(
            ErrorCode code, Execution execution, String message, CallSite site, @Nullable Throwable cause) {
        String text = Printable.trace(site.method() + " of service " + site.service()
                + (site.replica() == null ? "" : " (replica " + site.replica() + ")") + ": " + message);
        return switch (code) {
            case NO_SUCH_METHOD -> new NoSuchMethodOnServerException(text, execution, site, cause);
            case NO_REPLICA, NOT_REGISTERED -> new NoReplicaException(text, execution, site, cause);
            case DEADLINE -> new DeadlineException(text, execution, site, cause);
            case OVERLOAD -> new OverloadException(text, execution, site, cause);
            case REFUSED_TYPE -> new RefusedTypeException(text, execution, site, cause);
            case CONNECTION_LOST -> new ConnectionLostException(text, execution, site, cause);
            case PROTOCOL, VERSION -> new ProtocolException(text, execution, site, cause);
            case NO_SUCH_REFERENCE -> new NoSuchReferenceException(text, execution, site, cause);
            case WAIT_CYCLE -> new WaitCycleException(text, execution, site, cause);
            case DENIED -> new DeniedException(text, execution, site, cause);
            case THROWN, CANCELLED, TOO_LARGE, INTERNAL, ALREADY_BOUND ->
                new CallException(text, execution, site, cause);
        };
    }

    /** Returns the error code for an exception while reading or writing values. */
    public static ErrorCode code(RuntimeException thrown) {
        if (thrown instanceof SerialException serial) {
            return serial.code();
        }
        if (thrown instanceof CallException failure) { // a failed call whose streamed value was read
            return code(failure);
        }
        return thrown instanceof WireException wire ? wire.code() : ErrorCode.INTERNAL;
    }

    /** Returns the error code of an exception. */
    public static ErrorCode code(CallException failure) {
        if (failure instanceof DeniedException) {
            return ErrorCode.DENIED;
        } else if (failure instanceof NoSuchReferenceException) {
            return ErrorCode.NO_SUCH_REFERENCE;
        } else if (failure instanceof WaitCycleException) {
            return ErrorCode.WAIT_CYCLE;
        } else if (failure instanceof ConnectionLostException) {
            return ErrorCode.CONNECTION_LOST;
        } else if (failure instanceof NoSuchMethodOnServerException) {
            return ErrorCode.NO_SUCH_METHOD;
        } else if (failure instanceof NoReplicaException) {
            return ErrorCode.NO_REPLICA;
        } else if (failure instanceof DeadlineException) {
            return ErrorCode.DEADLINE;
        } else if (failure instanceof OverloadException) {
            return ErrorCode.OVERLOAD;
        } else if (failure instanceof RefusedTypeException) {
            return ErrorCode.REFUSED_TYPE;
        }
        return failure instanceof ProtocolException ? ErrorCode.PROTOCOL : ErrorCode.INTERNAL;
    }

    /** Maps the wire's {@code Execution} to that of exceptions. */
    public static Execution execution(dev.cleave.wire.Execution execution) {
        return switch (execution) {
            case NOT -> Execution.NOT_EXECUTED;
            case MAYBE -> Execution.MAYBE_EXECUTED;
            case EXECUTED -> Execution.EXECUTED;
        };
    }

    /**
     * Prepares a failure for the thread that awaited it: its stack on top, and below a marker line the stack of the
     * server, if the failure has one.
     *
     * @param thrown made for this await alone
     * @param method what was called
     */
    public static Throwable forCaller(Throwable thrown, RemoteMethod method, boolean remote) {
        List<StackTraceElement> stack = new ArrayList<>(callerStack());
        if (remote) {
            stack.add(new StackTraceElement(MARKER, method.method().getName(), null, -1));
            stack.addAll(Arrays.asList(thrown.getStackTrace()));
        }
        thrown.setStackTrace(stack.toArray(new StackTraceElement[0]));
        if (thrown instanceof CallException && method.declaresRemoteException()) {
            java.rmi.RemoteException wrapped = method.plan().isFormatted()
                    ? RmiFailures.of((CallException) thrown)
                    : new java.rmi.RemoteException("remote call failed", thrown);
            wrapped.setStackTrace(thrown.getStackTrace());
            return wrapped;
        }
        return method.plan().isFormatted() ? RmiFailures.asDeclared(thrown, method.method()) : thrown;
    }

    /** Throws anything without declaring it. */
    @SuppressWarnings("unchecked")
    public static <T extends Throwable> RuntimeException sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static List<StackTraceElement> callerStack() {
        List<StackTraceElement> stack = Arrays.asList(new Throwable().getStackTrace());
        int own = 0;
        while (own < stack.size() && isOurs(stack.get(own))) {
            own++;
        }
        return stack.subList(own, stack.size());
    }

    private static boolean isOurs(StackTraceElement element) {
        String name = element.getClassName();
        return name.startsWith("dev.cleave.call.")
                || name.startsWith("dev.cleave.client.")
                || name.contains("$CleaveStub");
    }
}
