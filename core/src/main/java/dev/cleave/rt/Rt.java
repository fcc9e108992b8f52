package dev.cleave.rt;

import dev.cleave.call.Chain;
import dev.cleave.call.Stub;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rewritten bytecode calls: a public contract between the agent and the core, named by strings in the agent.
 *
 * <p>A <em>sent call</em> is an opaque object made by the {@link #send} call site, or null. Null says that the send was
 * declined: the receiver is null or not a stub, or the site is switched off. Then the original call instruction runs at
 * its original place. Nothing here throws, apart from the awaits, which throw what the call throws.
 *
 * <p>A loop that runs ahead has a {@link LoopQueue}, or null if it does not run ahead in this activation; the methods
 * that take one accept null.
 */
public final class Rt {

    private Rt() {}

    /**
     * Links a send: {@code (Interface, arguments...) -> Object}, the sent call or null.
     *
     * <p>The first four classes of stubs seen are cached in line, all later ones in a table.
     *
     * @param caller the class that holds the call
     * @param name the remote method's name
     * @param type the interface, then the parameters of the method; returns Object
     * @param site what the program's text says of the place, {@code Class.method} as the report shows it
     * @param line the source line, -1 if unknown
     */
    public static CallSite send(MethodHandles.Lookup caller, String name, MethodType type, String site, int line) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.SEND_SUFFIX, type, counters).callSite();
    }

    /**
     * Links a call whose result is used while it arrives: {@code (Interface, arguments...) -> Object}, which is its {@link
     * dev.cleave.later.LaterArguments}, or null; otherwise as {@link #send}. Throws what the call throws.
     */
    public static CallSite later(MethodHandles.Lookup caller, String name, MethodType type, String site, int line) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.LATER_SUFFIX, type, counters).callSite();
    }

    /**
     * Links a send behind others of a chain: {@code (Interface, Object, arguments...) -> Object}, the second parameter the
     * chain; otherwise as {@link #send}.
     */
    public static CallSite sendChained(
            MethodHandles.Lookup caller, String name, MethodType type, String site, int line) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.CHAIN_SUFFIX, type, counters).callSite();
    }

    /**
     * Links a send that is given pending results (R50): {@code (Interface, Object, arguments...) -> Object}, the second
     * parameter a {@linkplain #dependentChain chain}. In front of each argument that may be such a result stands one
     * parameter more, the sent call whose result it is; if that is null the argument counts.
     *
     * @param passed bit i is set if parameter i of the method may be a pending result
     */
    public static CallSite sendDependent(
            MethodHandles.Lookup caller, String name, MethodType type, String site, int line, int passed) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.CHAIN_SUFFIX, type, counters, passed).callSite();
    }

    /** A chain for calls of which some need results of others. */
    public static Object dependentChain() {
        return Chain.dependent();
    }

    /** A chain for calls that stand behind one another. */
    public static Object chain() {
        return Chain.stopping();
    }

    /** No more calls are sent in a chain. */
    public static void endChain(Object chain) {
        ((Chain) chain).end();
    }

    /** The chain of what a loop sends. */
    public static Object chainOf(LoopQueue queue) {
        return queue.chain();
    }

    /** The chain of what a loop sends, of which some calls need results of others. */
    public static Object dependentChainOf(LoopQueue queue) {
        return queue.dependentChain();
    }

    /**
     * Links the opening of a loop's queue: {@code () -> LoopQueue}.
     *
     * @param caller the class that holds the loop
     * @param name of no meaning
     * @param type {@code () -> LoopQueue}
     * @param window the most calls in flight, at least 1; {@link Integer#MAX_VALUE} if nobody has set a bound
     * @param sends the number of sends in one iteration at most, at least 1
     */
    public static CallSite open(MethodHandles.Lookup caller, String name, MethodType type, int window, int sends) {
        return new ConstantCallSite(OPEN.bindTo(new LoopSite(window, sends)).asType(type));
    }

    /**
     * Links what runs ahead of a stream: {@code (StreamSource) -> StreamAhead}.
     *
     * @param caller the class that holds the stream
     * @param name of no meaning
     * @param window the most calls in flight, at least 1; {@link Integer#MAX_VALUE} if nobody has set a bound
     * @param functions the functional interfaces of the stages that have a function
     * @param stages for each stage up to the last function that calls a letter, and the helper of those that call
     */
    public static CallSite stream(
            MethodHandles.Lookup caller,
            String name,
            MethodType type,
            int window,
            MethodType functions,
            String... stages)
            throws IllegalAccessException {
        StreamSite site = new StreamSite(functions, List.of(stages));
        LoopSite loop = new LoopSite(window, 1);
        StreamAhead.Opener opener = (bound, elements) -> new SplitStreamRun(site, loop, bound, elements);
        return StreamAhead.link(type, opener, stages.length);
    }

    /**
     * Links a reference to a remote method that a stream sends ahead: {@code (Interface) -> functional interface}.
     *
     * @param caller the class that holds the reference
     * @param function the name of the method of the functional interface
     * @param erased its type
     * @param method the remote method, with one argument
     * @param instantiated its type where it is used
     * @param site what the program's text says of the place, {@code Class.method} as the report shows it
     * @param line the source line, -1 if unknown
     * @param key what the stream asks for
     */
    public static CallSite reference(
            MethodHandles.Lookup caller,
            String function,
            MethodType type,
            MethodType erased,
            MethodHandle method,
            MethodType instantiated,
            String site,
            int line,
            String key)
            throws LambdaConversionException, ReflectiveOperationException {
        String name = caller.revealDirect(method).getName();
        MethodHandle send = send(caller, name, method.type().changeReturnType(Object.class), site, line)
                .dynamicInvoker();
        return RemoteReference.link(
                function, type, erased, method, instantiated, new RemoteReference.Sending(key, send, null));
    }

    /** Waits for a sent call whose result is int, short, char, byte or boolean. */
    public static int awaitInt(Object sent) throws Throwable {
        return ((SentCall) sent).awaitInt();
    }

    /** Waits for a sent call whose result is a long. */
    public static long awaitLong(Object sent) throws Throwable {
        return ((SentCall) sent).awaitLong();
    }

    /** Waits for a sent call whose result is a float. */
    public static float awaitFloat(Object sent) throws Throwable {
        return ((SentCall) sent).awaitFloat();
    }

    /** Waits for a sent call whose result is a double. */
    public static double awaitDouble(Object sent) throws Throwable {
        return ((SentCall) sent).awaitDouble();
    }

    /** Waits for a sent call whose result is an object. */
    public static @Nullable Object await(Object sent) throws Throwable {
        return ((SentCall) sent).await();
    }

    /** Waits for a sent call without a result. */
    public static void awaitVoid(Object sent) throws Throwable {
        ((SentCall) sent).awaitVoid();
    }

    /** The program has come to the place where the call was written, and will await it a little later. */
    public static void origin(@Nullable Object sent) {
        if (sent != null) {
            ((SentCall) sent).origin();
        }
    }

    /** Asks the server not to begin a sent call that is discarded next, behind others; never waits. */
    public static void withdraw(@Nullable Object sent) {
        if (sent instanceof SentCall call) {
            call.withdrawn();
        }
    }

    /** Gives up a sent call whose place will not be reached; waits until it has ended if it may change something. */
    public static void discard(@Nullable Object sent) {
        if (sent instanceof SentCall call) {
            call.discard();
        }
    }

    /** Says whether calls of this receiver can be sent. */
    public static boolean isStub(@Nullable Object receiver) {
        return SendSite.isStub(receiver);
    }

    /** Says whether the object's class is exactly this one. */
    public static boolean isExactly(@Nullable Object object, Class<?> expected) {
        return object != null && object.getClass() == expected;
    }

    /**
     * Says whether the object is the console, or of one of the JDK's collections or text buffers whose methods touch
     * nothing but the object itself and the objects given to it.
     */
    public static boolean isPlain(@Nullable Object object) {
        return PlainClasses.isPlain(object);
    }

    /** As {@link #isPlain}, or a class of which this holds only when used at the place where the program uses it. */
    public static boolean isContained(@Nullable Object object) {
        return PlainClasses.isContained(object);
    }

    /** Says whether writing to the first object can certainly not be seen through the second. */
    public static boolean areApart(@Nullable Object written, @Nullable Object read) {
        return PlainClasses.areApart(written, read);
    }

    /** A second iterator over a collection of a plain class, or null. */
    public static @Nullable Iterator<?> iterator(@Nullable Object collection) {
        return PlainClasses.isPlainToIterate(collection) && collection instanceof Iterable<?> iterable
                ? iterable.iterator()
                : null;
    }

    /** Says whether the loop may send for one more iteration now. */
    public static boolean hasRoom(@Nullable LoopQueue queue) {
        return queue != null && queue.hasRoom();
    }

    /** Keeps what an iteration ahead has sent; false, and the end of running ahead, if that was declined. */
    public static boolean put(LoopQueue queue, @Nullable Object sent, int site) {
        return sent == Passage.NOTHING || queue.put((SentCall) sent, site);
    }

    /** One iteration ahead is complete. */
    public static void ahead(LoopQueue queue) {
        queue.ahead();
    }

    /** Nothing is sent ahead before a helper of another class may be asked. */
    public static void waitFor(@Nullable LoopQueue queue, HelperDoor door) {
        if (queue != null) {
            queue.waitFor(door);
        }
    }

    /** Whether the iteration that is run ahead sends nothing. */
    public static boolean isQuiet(LoopQueue queue) {
        return queue.isQuiet();
    }

    /** No more iterations are run ahead. */
    public static void finish(@Nullable LoopQueue queue) {
        if (queue != null) {
            queue.finish();
        }
    }

    /** The program begins an iteration. */
    public static void begin(@Nullable LoopQueue queue) {
        if (queue != null) {
            queue.begin();
        }
    }

    /** The sent call that stands for the call that the program has come to, or null if it was not sent. */
    public static @Nullable Object take(@Nullable LoopQueue queue, int site) {
        return queue == null ? null : queue.take(site);
    }

    /** An exception keeps the program from this call in the iteration that it is in: what was sent for it is given up. */
    public static void skip(@Nullable LoopQueue queue, int site) {
        if (queue != null) {
            queue.skip(site);
        }
    }

    /** The loop is left: all that was sent and not taken is given up. */
    public static void close(@Nullable LoopQueue queue) {
        if (queue != null) {
            queue.close();
        }
    }

    /**
     * The queue of a loop's next stage, whose calls need results of those of the stage before it.
     *
     * @param earlier the queue of the stage before it
     * @param sends the number of sends in one iteration at most, at least 1
     */
    public static @Nullable LoopQueue stage(@Nullable LoopQueue earlier, int sends) {
        return earlier == null ? null : LoopQueue.behind(earlier, sends);
    }

    /** The program may go past calls that were sent ahead, though nothing is thrown: those are given up. */
    public static void leaveOut(@Nullable LoopQueue queue) {
        if (queue != null) {
            queue.leaveOut();
        }
    }

    /** Looks at the result of a call of an earlier stage; false if it failed, or was not sent. */
    public static boolean look(LoopQueue queue, int site) {
        return queue.look(site);
    }

    /** The result looked at, of type int, short, char, byte or boolean; it can still be taken. */
    public static int seenInt(LoopQueue queue) throws Throwable {
        return queue.seen().awaitInt();
    }

    /** The result looked at, a long. */
    public static long seenLong(LoopQueue queue) throws Throwable {
        return queue.seen().awaitLong();
    }

    /** The result looked at, a float. */
    public static float seenFloat(LoopQueue queue) throws Throwable {
        return queue.seen().awaitFloat();
    }

    /** The result looked at, a double. */
    public static double seenDouble(LoopQueue queue) throws Throwable {
        return queue.seen().awaitDouble();
    }

    /** The result looked at, the very object that the program will be given. */
    public static @Nullable Object seen(LoopQueue queue) throws Throwable {
        return queue.seen().await();
    }

    private static final MethodHandle OPEN;

    static {
        try {
            OPEN = MethodHandles.lookup().findVirtual(LoopSite.class, "open", MethodType.methodType(LoopQueue.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
