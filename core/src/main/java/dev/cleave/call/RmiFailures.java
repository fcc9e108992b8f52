package dev.cleave.call;

import dev.cleave.CallException;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.NoSuchMethodOnServerException;
import dev.cleave.NoSuchReferenceException;
import dev.cleave.ProtocolException;
import dev.cleave.RefusedTypeException;
import dev.cleave.RemoteFailureException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.SocketTimeoutException;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnexpectedException;
import java.rmi.UnknownHostException;
import java.rmi.UnmarshalException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Maps failures of calls to the exceptions that RMI throws in their place. */
final class RmiFailures {

    private static final String IN_SERVER = "RemoteException occurred in server thread";

    private RmiFailures() {}

    static RemoteException of(CallException failure) {
        if (failure instanceof NoSuchReferenceException) {
            NoSuchObjectException made = new NoSuchObjectException("no such object in table");
            made.addSuppressed(failure); // a cause would change the message, which programs compare
            return made;
        }
        if (failure instanceof ConnectionLostException) {
            return unreachable(failure);
        }
        if (failure instanceof NoSuchMethodOnServerException) {
            return new ServerException(
                    IN_SERVER,
                    new UnmarshalException("unrecognized method hash: method not supported by remote object", failure));
        }
        if (failure instanceof RemoteFailureException) {
            return new UnmarshalException("error unmarshalling return", failure);
        }
        if (failure instanceof RefusedTypeException || failure instanceof ProtocolException) {
            return values(failure);
        }
        if (failure instanceof DeadlineException && !failure.notExecuted()) {
            SocketTimeoutException late = new SocketTimeoutException("Read timed out");
            late.initCause(failure);
            return new UnmarshalException("Error unmarshaling return header", late);
        }
        return new RemoteException("remote call failed", failure);
    }

    /**
     * Returns what the program gets of an exception that a method has thrown. Code that does not check which exceptions a
     * method declares may throw others; RMI wraps them, since their callers are not prepared for them.
     */
    static Throwable asDeclared(Throwable thrown, Method method) {
        if (thrown instanceof RuntimeException
                || thrown instanceof Error
                || Arrays.stream(method.getExceptionTypes()).anyMatch(declared -> declared.isInstance(thrown))) {
            return thrown;
        }
        RemoteException made;
        if (thrown instanceof Exception checked) {
            made = new UnexpectedException("unexpected exception", checked);
        } else {
            made = new UnmarshalException("Return type not Exception");
            made.addSuppressed(thrown);
        }
        made.setStackTrace(thrown.getStackTrace());
        return made;
    }

    private static RemoteException unreachable(CallException failure) {
        if (!failure.notExecuted()) {
            return new UnmarshalException("Error unmarshaling return header", failure);
        }
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof java.net.UnknownHostException
                    || t.getMessage() != null && t.getMessage().contains("unknown host")) {
                return new UnknownHostException("Unknown host: " + failure.getMessage(), failure);
            }
        }
        return new ConnectException("Connection refused to host: " + failure.getMessage(), failure);
    }

    /** Values that could not be written or read. */
    private static RemoteException values(CallException failure) {
        Exception own = readingCause(failure);
        if (!failure.notExecuted()) {
            return new UnmarshalException("error unmarshalling return", own != null ? own : failure);
        }
        return own != null
                ? new MarshalException("error marshalling arguments", own)
                : new ServerException(IN_SERVER, new UnmarshalException("error unmarshalling arguments", failure));
    }

    /** The exception of Java serialization among the causes; null if the other side has met it. */
    private static @Nullable Exception readingCause(Throwable failure) {
        for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
            if (t instanceof IOException || t instanceof ClassNotFoundException) {
                return (Exception) t;
            }
        }
        return null;
    }
}
