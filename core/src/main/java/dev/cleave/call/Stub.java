package dev.cleave.call;

import dev.cleave.Cleave;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The super class of all generated stubs.
 *
 * <p>For each method {@code R m(A a, B b)} of the remote interface the stub has that method, synchronous, and
 * {@code public final Handle m$send(A a, B b)}, which sends the call and returns without waiting.
 */
public abstract class Stub implements Cleave.Adjustable {

    /** The suffix of the sending twin of each method. */
    public static final String SEND_SUFFIX = "$send";

    /**
     * The suffix of the encoding twin of each method that changes nothing: {@code public final Encoded m$encode(A a, B
     * b)}, null if the arguments cannot be written without running code of the program.
     */
    public static final String ENCODE_SUFFIX = "$encode";

    /**
     * The suffix of the twin that sends behind other calls: {@code Handle m$chain(Chain, A, B)}, null if it declines.
     * In the place of an argument goes the pending result that the chain {@linkplain Chain#pass passes}.
     */
    public static final String CHAIN_SUFFIX = "$chain";

    /**
     * The suffix of the twin of each method whose result is streamed though its type does not say so: {@code
     * LaterArguments m$later(A a, B b)} returns when the result has begun to come, as parameter 0 of what it returns.
     */
    public static final String LATER_SUFFIX = "$later";

    /** The name of the service that this stub calls. */
    public abstract String service();

    /**
     * Returns the object that the stub calls, if it is one object; null if it is a service. Stubs of the same target
     * are equal.
     */
    public @Nullable Object target() {
        return null;
    }

    /**
     * Says whether every collection, map or iterator that a call returns, or that its result leads to, is of a class of
     * the JDK: no class of the program that is one may travel through the interface.
     */
    public boolean returnsOnlyJdkCollections() {
        return false;
    }

    /**
     * Says whether the message, the cause and the text of every exception that a call throws run no code of the program: no class of
     * exceptions that may travel through the interface has methods of its own for these, and no code of the program runs in a call.
     */
    public boolean throwsOnlyPlainExceptions() {
        return false;
    }

    /**
     * Says whether every instance of a class that a call returns, or that its result leads to, is of exactly this class.
     *
     * @param name the binary name of the class
     */
    public boolean returnsNoSubclassOf(String name) {
        return false;
    }

    @Override
    public Object adjusted(@Nullable Duration deadline, Map<String, String> attachments) {
        throw new UnsupportedOperationException(getClass().getName() + " has no settings of its own");
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        Object target = target();
        return this == other || target != null && other instanceof Stub stub && target.equals(stub.target());
    }

    @Override
    public final int hashCode() {
        Object target = target();
        return target == null ? System.identityHashCode(this) : target.hashCode();
    }
}
