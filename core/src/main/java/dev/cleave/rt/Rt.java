package dev.cleave.rt;

import dev.cleave.call.Chain;
import dev.cleave.call.Stub;
import dev.cleave.ref.ElementsAhead;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The methods that rewritten bytecode calls: a public contract between the agent and the core, named by strings in the
 * agent.
 *
 * <p>A <em>sent call</em> is an opaque object made by the {@link #send} call site, or null. Null says that the send was
 * declined: the receiver is null or not a stub, or the site is switched off. Then the original call instruction runs at
 * its original place. No method here throws, apart from the awaits, which throw the exception of the call.
 *
 * <p>A loop that runs ahead has a {@link LoopQueue}, or null if it does not run ahead in this activation; the methods
 * that take one accept null.
 */
public final class Rt {

    private static final int MOST_COPIED = 16_384;

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
     * Links a call whose result is used while it arrives: {@code (Interface, arguments...) -> Object}, which is its
     * {@link dev.cleave.later.LaterArguments}, or null; otherwise as {@link #send}. Throws the exception of the call.
     */
    public static CallSite later(MethodHandles.Lookup caller, String name, MethodType type, String site, int line) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.LATER_SUFFIX, type, counters).callSite();
    }

    /**
     * Links a send after others of a chain: {@code (Interface, Object, arguments...) -> Object}, the second parameter
     * the chain; otherwise as {@link #send}.
     */
    public static CallSite sendChained(
            MethodHandles.Lookup caller, String name, MethodType type, String site, int line) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.CHAIN_SUFFIX, type, counters).callSite();
    }

    /**
     * Links a send that is given pending results (R50): {@code (Interface, Object, arguments...) -> Object}, the second
     * parameter a {@linkplain #dependentChain chain}. Each argument that may be such a result is preceded by one more
     * parameter, the sent call whose result it is; if that is null the argument itself is used.
     *
     * @param passed bit i is set if parameter i of the method may be a pending result
     */
    public static CallSite sendDependent(
            MethodHandles.Lookup caller, String name, MethodType type, String site, int line, int passed) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.CHAIN_SUFFIX, type, counters, passed, 0).callSite();
    }

    /**
     * Links a send as {@link #sendDependent} does whose result the program uses for nothing but arguments of later calls of
     * the chain, which it certainly comes to: it may stay at the server.
     *
     * @param uses how many arguments
     */
    public static CallSite sendStaying(
            MethodHandles.Lookup caller, String name, MethodType type, String site, int line, int passed, int uses) {
        Site counters = Sites.of(site, line, type.parameterType(0).getSimpleName() + "." + name);
        return new SendSite(name, Stub.CHAIN_SUFFIX, type, counters, passed, uses).callSite();
    }

    /** Creates a chain for calls of which some need results of others. */
    public static Object dependentChain() {
        return Chain.dependent();
    }

    /** Creates a chain. */
    public static Object chain() {
        return Chain.stopping();
    }

    /** Ends a chain: no more calls are sent in it. */
    public static void endChain(Object chain) {
        ((Chain) chain).end();
    }

    /** Returns the chain of the calls that a loop sends. */
    public static Object chainOf(LoopQueue queue) {
        return queue.chain();
    }

    /** Returns the chain of the calls that a loop sends, of which some need results of others. */
    public static Object dependentChainOf(LoopQueue queue) {
        return queue.dependentChain();
    }

    /**
     * Links the opening of a loop's queue: {@code () -> LoopQueue}.
     *
     * @param caller the class that holds the loop
     * @param name of no meaning
     * @param type {@code () -> LoopQueue}
     * @param window the most calls in flight, at least 1; {@link Integer#MAX_VALUE} if no bound is set
     * @param sends the number of sends in one iteration at most, at least 1
     */
    public static CallSite open(MethodHandles.Lookup caller, String name, MethodType type, int window, int sends) {
        return new ConstantCallSite(OPEN.bindTo(new LoopSite(window, sends)).asType(type));
    }

    /**
     * Links the run-ahead of a stream: {@code (StreamSource) -> StreamAhead}.
     *
     * @param caller the class that holds the stream
     * @param name of no meaning
     * @param window the most calls in flight, at least 1; {@link Integer#MAX_VALUE} if no bound is set
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
        StreamOpener opener = (bound, elements) -> new SplitStreamRun(site, loop, bound, elements);
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
            String key,
            String strands)
            throws LambdaConversionException, ReflectiveOperationException {
        String name = caller.revealDirect(method).getName();
        MethodHandle send = send(caller, name, method.type().changeReturnType(Object.class), site, line)
                .dynamicInvoker();
        return RemoteReference.link(
                function,
                type,
                erased,
                method,
                instantiated,
                new RemoteReference.Sending(key, send, null, strands, ""));
    }

    /**
     * Links a method reference whose calls strands have sent (R69, R71).
     *
     * @param strands the name under which a nest of strands is given to the function
     * @param helper the helper that the method is, empty for a remote method
     */
    public static CallSite takingReference(
            MethodHandles.Lookup caller,
            String function,
            MethodType type,
            MethodType erased,
            MethodHandle method,
            MethodType instantiated,
            String strands,
            String helper)
            throws LambdaConversionException, ReflectiveOperationException {
        return RemoteReference.link(
                function,
                type,
                erased,
                method,
                instantiated,
                new RemoteReference.Sending(strands, null, null, strands, helper));
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

    /** Called when the program has reached the place where the call was written; it awaits the call a little later. */
    public static void origin(@Nullable Object sent) {
        if (sent != null) {
            ((SentCall) sent).origin();
        }
    }

    /** Asks the server not to begin a sent call that is discarded next, after others; never waits. */
    public static void withdraw(@Nullable Object sent) {
        if (sent instanceof SentCall call) {
            call.withdrawn();
        }
    }

    /**
     * Discards a sent call whose place the program does not reach; waits until it has ended if it may change something.
     */
    public static void discard(@Nullable Object sent) {
        if (sent instanceof SentCall call) {
            call.discard();
        }
    }

    /** Says whether calls of this receiver can be sent. */
    public static boolean isStub(@Nullable Object receiver) {
        return SendSite.isStub(receiver);
    }

    /** Says whether every collection that calls of this receiver return is of a class of the JDK. */
    public static boolean returnsOnlyJdkCollections(@Nullable Object receiver) {
        return receiver instanceof Stub stub && stub.returnsOnlyJdkCollections();
    }

    /** Says whether no exception that calls of this receiver throw has a method of the program for its message, its cause or its text. */
    public static boolean throwsOnlyPlainExceptions(@Nullable Object receiver) {
        return receiver instanceof Stub stub && stub.throwsOnlyPlainExceptions();
    }

    /** Says whether every instance of the class of a name that calls of this receiver return is of exactly that class. */
    public static boolean returnsNoSubclassOf(@Nullable Object receiver, String name) {
        return receiver instanceof Stub stub && stub.returnsNoSubclassOf(name);
    }

    /** Says whether the object's class is exactly this one. */
    public static boolean isExactly(@Nullable Object object, Class<?> expected) {
        return object != null && object.getClass() == expected;
    }

    /**
     * Says whether the object is the console, or one of the JDK's collections or text buffers whose methods read and
     * write only the object itself and the objects given to it.
     */
    public static boolean isPlain(@Nullable Object object) {
        return PlainClasses.isPlain(object);
    }

    /**
     * Says whether an object is null, or of a class of the JDK whose objects are immutable and whose methods call no
     * others; or an array of such objects.
     */
    public static boolean isValue(@Nullable Object object) {
        if (object instanceof Object[] array) {
            for (Object element : array) {
                if (element != null && !PlainClasses.isValue(element)) {
                    return false;
                }
            }
            return true;
        }
        return object == null || PlainClasses.isValue(object);
    }

    /** Says whether an object is a collection of a plain class, or an array, that holds values of the JDK and nulls alone. */
    public static boolean holdsValues(@Nullable Object object) {
        return object instanceof Collection<?> collection
                ? PlainClasses.isPlainToIterate(collection) && isValue(collection.toArray())
                : object instanceof Object[] && isValue(object);
    }

    /**
     * Says whether the object is {@linkplain #isPlain plain}, or of a class that is plain in the way in which the
     * program uses it there.
     */
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

    /**
     * An iterator over a copy of a collection of a plain class, so that it goes on when elements are removed; null if the class is another, or the
     * collection has more than {@value #MOST_COPIED} elements.
     */
    public static @Nullable Iterator<?> iteratorOfCopy(@Nullable Object collection) {
        return PlainClasses.isPlainToIterate(collection)
                        && collection instanceof Collection<?> elements
                        && elements.size() <= MOST_COPIED
                ? new ArrayList<>(elements).iterator()
                : null;
    }

    /**
     * An iterator for a loop that runs ahead: a second one, or if there is none one that follows the program's over elements of
     * another node; else null.
     */
    public static @Nullable Iterator<?> follow(@Nullable Iterator<?> second, @Nullable Object iterator) {
        return second != null ? second : ElementsAhead.of(iterator);
    }

    /**
     * Says whether the loop may send for one more iteration now, whose element an iterator gives: that has arrived, or the program
     * asks for it next.
     */
    public static boolean hasRoom(@Nullable LoopQueue queue, @Nullable Iterator<?> iterator) {
        return queue != null
                && (!(iterator instanceof ElementsAhead elements) || queue.isBehind() || elements.hasArrived())
                && queue.hasRoom();
    }

    /** Says whether the loop may send for one more iteration now. */
    public static boolean hasRoom(@Nullable LoopQueue queue) {
        return queue != null && queue.hasRoom();
    }

    /**
     * Keeps a call that an iteration ahead has sent; if the send was declined, ends running ahead and returns false.
     */
    public static boolean put(LoopQueue queue, @Nullable Object sent, int site) {
        return sent == Passage.NOTHING || queue.put((SentCall) sent, site);
    }

    /**
     * Says whether the call that an iteration ahead sends next may change an array when it is awaited: not if one does that is in flight.
     * The program would give the second call what the first one has changed.
     */
    public static boolean mayChange(LoopQueue queue, @Nullable Object array) {
        return queue.mayChange(array);
    }

    /** Makes the await of a sent call change the array that the program has come with. */
    public static void restoresInto(Object sent, @Nullable Object array, int number) {
        ((SentCall) sent).handle().restoresInto(number, array);
    }

    /** Ends one iteration ahead. */
    public static void ahead(LoopQueue queue) {
        queue.ahead();
    }

    /** Sends nothing ahead before a helper of another class may be asked. */
    public static void waitFor(@Nullable LoopQueue queue, HelperDoor door) {
        if (queue != null) {
            queue.waitFor(door);
        }
    }

    /** Whether the current iteration ahead sends nothing. */
    public static boolean isQuiet(LoopQueue queue) {
        return queue.isQuiet();
    }

    /** Ends running ahead. */
    public static void finish(@Nullable LoopQueue queue) {
        if (queue != null) {
            queue.finish();
        }
    }

    /** Called when the program begins an iteration. */
    public static void begin(@Nullable LoopQueue queue) {
        if (queue != null) {
            queue.begin();
        }
    }

    /** Takes the sent call for the call that the program has reached, or null if it was not sent. */
    public static @Nullable Object take(@Nullable LoopQueue queue, int site) {
        return queue == null ? null : queue.take(site);
    }

    /**
     * Discards the call that was sent for a call which an exception keeps the program from reaching in this iteration.
     */
    public static void skip(@Nullable LoopQueue queue, int site) {
        if (queue != null) {
            queue.skip(site);
        }
    }

    /** Called when the program leaves the loop: discards all calls that were sent and not taken. */
    public static void close(@Nullable LoopQueue queue) {
        if (queue != null) {
            queue.close();
        }
    }

    /**
     * Creates the queue of a loop's next stage, whose calls need results of the stage before it.
     *
     * @param earlier the queue of the stage before it
     * @param sends the number of sends in one iteration at most, at least 1
     */
    public static @Nullable LoopQueue stage(@Nullable LoopQueue earlier, int sends) {
        return earlier == null ? null : LoopQueue.behind(earlier, sends);
    }

    /** Notes that the program may skip calls that were sent ahead, also without an exception: these are discarded. */
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

    /** The result looked at, the same object that the program will receive. */
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
