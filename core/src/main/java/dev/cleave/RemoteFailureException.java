package dev.cleave;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Stands for an exception of the remote method whose class may not be loaded here: neither declared by the method, nor
 * of the JDK, nor allowed by the application. Carries its class name, message and stack as text.
 */
public final class RemoteFailureException extends CallException {

    @Serial
    private static final long serialVersionUID = 1;

    private final String remoteClass;
    private final @Nullable String remoteMessage;
    private final String remoteStack;

    /** Creates the stand-in for an exception of class {@code remoteClass}. */
    public RemoteFailureException(
            String remoteClass, @Nullable String remoteMessage, String remoteStack, CallSite site) {
        super(remoteMessage == null ? remoteClass : remoteClass + ": " + remoteMessage, Execution.EXECUTED, site, null);
        this.remoteClass = requireNonNull(remoteClass, "remoteClass");
        this.remoteMessage = remoteMessage;
        this.remoteStack = requireNonNull(remoteStack, "remoteStack");
    }

    /** The binary name of the class of the exception that the method threw. */
    public String remoteClass() {
        return remoteClass;
    }

    /** The message of the exception that the method threw. */
    public @Nullable String remoteMessage() {
        return remoteMessage;
    }

    /** The stack trace of the exception that the method threw, as text. */
    public String remoteStack() {
        return remoteStack;
    }
}
