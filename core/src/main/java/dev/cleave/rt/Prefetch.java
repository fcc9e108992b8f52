package dev.cleave.rt;

import dev.cleave.call.Encoded;
import dev.cleave.call.Stub;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The methods with which rewritten bytecode prefetches and claims: a public contract between the agent and the core, as
 * {@link Rt} is. All methods accept null for the queue of an activation that does not prefetch; none throws.
 */
public final class Prefetch {

    private static final MethodHandle OPEN;
    private static final MethodHandle STRETCH;
    private static final MethodHandle SEND;
    private static final MethodHandle CLAIM;
    private static final MethodHandle MAY_CLAIM;
    private static final MethodHandle SEND_FROM;
    private static final MethodHandle CLAIM_FROM;
    private static final MethodHandle MAY_CLAIM_FROM;

    static {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            OPEN = lookup.findStatic(
                    PrefetchQueue.class, "open", MethodType.methodType(PrefetchQueue.class, PrefetchPlace.class));
            STRETCH = lookup.findStatic(
                    Prefetch.class,
                    "stretch",
                    MethodType.methodType(PrefetchQueue.class, PrefetchPlace.class, PrefetchQueue.class));
            SEND = lookup.findStatic(
                    Prefetch.class,
                    "send",
                    MethodType.methodType(boolean.class, int.class, PrefetchQueue.class, Encoded.class));
            CLAIM = lookup.findStatic(
                    Prefetch.class,
                    "claim",
                    MethodType.methodType(Object.class, int.class, PrefetchQueue.class, Encoded.class));
            MAY_CLAIM = lookup.findStatic(
                    Prefetch.class, "mayClaim", MethodType.methodType(boolean.class, int.class, PrefetchQueue.class));
            SEND_FROM = lookup.findStatic(
                    Prefetch.class,
                    "send",
                    MethodType.methodType(boolean.class, int.class, PrefetchQueue.class, int.class, Encoded.class));
            CLAIM_FROM = lookup.findStatic(
                    Prefetch.class,
                    "claim",
                    MethodType.methodType(Object.class, int.class, PrefetchQueue.class, int.class, Encoded.class));
            MAY_CLAIM_FROM = lookup.findStatic(
                    Prefetch.class,
                    "mayClaim",
                    MethodType.methodType(boolean.class, int.class, PrefetchQueue.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Prefetch() {}

    /**
     * Links the opening of a queue: {@code () -> PrefetchQueue}, null if prefetching does not pay here.
     *
     * @param window the most calls in flight
     * @param firstPass the pass of the program in which to begin
     * @param sites for each call: place, line, remote method, kind and greatest age in nanoseconds, separated by tabs
     */
    public static CallSite open(
            MethodHandles.Lookup caller, String name, MethodType type, int window, int firstPass, String... sites) {
        PrefetchPlace place = new PrefetchPlace(
                window, firstPass, Arrays.stream(sites).map(PrefetchSite::parse).toList());
        return new ConstantCallSite(OPEN.bindTo(place).asType(type));
    }

    /**
     * Links the opening of a queue for calls in a row: {@code (PrefetchQueue) -> PrefetchQueue}, null if prefetching
     * does not pay here. Closes the earlier queue.
     *
     * @param sites for each call: place, line, remote method, kind and greatest age in nanoseconds, separated by tabs
     */
    public static CallSite stretch(MethodHandles.Lookup caller, String name, MethodType type, String... sites) {
        PrefetchPlace place = PrefetchPlace.stretch(
                Arrays.stream(sites).map(PrefetchSite::parse).toList());
        return new ConstantCallSite(STRETCH.bindTo(place).asType(type));
    }

    /**
     * Links a send: {@code (PrefetchQueue, Interface, arguments...) -> boolean}, false if running ahead is over.
     *
     * @param name the remote method's name
     * @param position which of the queue's calls it is
     */
    public static CallSite send(MethodHandles.Lookup caller, String name, MethodType type, int position) {
        return new ConstantCallSite(encoding(SEND, 1, name, type, position));
    }

    /**
     * Links a send in a helper: {@code (PrefetchQueue, int, Interface, arguments...) -> boolean}, the second parameter
     * the position of its first call; otherwise as {@link #send}.
     *
     * @param name the remote method's name
     * @param position which of the helper's calls it is
     */
    public static CallSite sendFrom(MethodHandles.Lookup caller, String name, MethodType type, int position) {
        return new ConstantCallSite(encoding(SEND_FROM, 2, name, type, position));
    }

    /**
     * Links a claim: {@code (PrefetchQueue, Interface, arguments...) -> Object}, the sent call or null.
     *
     * @param name the remote method's name
     * @param position which of the queue's calls it is
     */
    public static CallSite claim(MethodHandles.Lookup caller, String name, MethodType type, int position) {
        return claiming(MAY_CLAIM, encoding(CLAIM, 1, name, type, position), position);
    }

    /**
     * Links a claim in a helper: {@code (PrefetchQueue, int, Interface, arguments...) -> Object}, the second parameter
     * the position of its first call; otherwise as {@link #claim}.
     *
     * @param name the remote method's name
     * @param position which of the helper's calls it is
     */
    public static CallSite claimFrom(MethodHandles.Lookup caller, String name, MethodType type, int position) {
        return claiming(MAY_CLAIM_FROM, encoding(CLAIM_FROM, 2, name, type, position), position);
    }

    private static CallSite claiming(MethodHandle mayClaim, MethodHandle claim, int position) {
        MethodHandle nothing = MethodHandles.dropArguments(
                MethodHandles.constant(Object.class, null), 0, claim.type().parameterList());
        MethodHandle test = MethodHandles.insertArguments(mayClaim, 0, position);
        return new ConstantCallSite(MethodHandles.guardWithTest(test, claim, nothing));
    }

    /**
     * Links the run-ahead of a stream: {@code (StreamSource) -> StreamAhead}.
     *
     * @param window the most calls in flight
     * @param firstPass the element of the program with which to begin
     * @param functions the functional interfaces of the stages that have a function
     * @param stages the number of stages up to the last function that calls
     * @param texts a text for each of those stages; then for each function that calls the number of its calls, and a
     *     text for each of these as for {@link #open}
     */
    public static CallSite stream(
            MethodHandles.Lookup caller,
            String name,
            MethodType type,
            int window,
            int firstPass,
            MethodType functions,
            int stages,
            String... texts)
            throws IllegalAccessException {
        List<String> all = List.of(texts);
        StreamSite site = new StreamSite(functions, all.subList(0, stages));
        int[] positions = new int[site.calls()];
        List<PrefetchSite> sites = new ArrayList<>();
        int next = stages;
        for (int call = 0; call < positions.length; call++) {
            positions[call] = sites.size();
            int end = next + 1 + Integer.parseInt(texts[next]);
            all.subList(next + 1, end).forEach(text -> sites.add(PrefetchSite.parse(text)));
            next = end;
        }
        PrefetchPlace place = new PrefetchPlace(window, firstPass, sites);
        StreamOpener opener =
                (bound, elements) -> new PrefetchStreamRun(site, positions, PrefetchQueue.open(place), bound, elements);
        return StreamAhead.link(type, opener, stages);
    }

    /**
     * Links a reference to a remote method that a stream prefetches; as {@link Rt#reference}.
     *
     * @param key the name under which the stream asks for the call
     */
    public static CallSite reference(
            MethodHandles.Lookup caller,
            String function,
            MethodType type,
            MethodType erased,
            MethodHandle method,
            MethodType instantiated,
            String key,
            String strands)
            throws LambdaConversionException, ReflectiveOperationException {
        String name = caller.revealDirect(method).getName();
        MethodHandle encode = EncodeSite.handle(name, method.type());
        return RemoteReference.link(
                function,
                type,
                erased,
                method,
                instantiated,
                new RemoteReference.Sending(key, null, encode, strands, ""));
    }

    /** {@code (front..., receiver, arguments...) -> end(position, front..., encode(receiver, arguments...))}. */
    private static MethodHandle encoding(MethodHandle end, int front, String name, MethodType type, int position) {
        MethodHandle encode = EncodeSite.handle(name, type.dropParameterTypes(0, front));
        return MethodHandles.collectArguments(MethodHandles.insertArguments(end, 0, position), front, encode)
                .asType(type);
    }

    /** Sends nothing ahead before a helper of another class may be asked. */
    public static void waitFor(@Nullable PrefetchQueue queue, HelperDoor door) {
        if (queue != null) {
            queue.waitFor(door);
        }
    }

    /** Says whether there may be another pass ahead now. */
    public static boolean hasRoom(@Nullable PrefetchQueue queue) {
        return queue != null && queue.hasRoom();
    }

    /** Counts a step of a loop inside a pass ahead; false if there were too many. */
    public static boolean step(PrefetchQueue queue) {
        return queue.step();
    }

    /** Says whether a pass ahead may make an array of a length. */
    public static boolean mayMake(PrefetchQueue queue, int length) {
        return queue.mayMake(length);
    }

    /** Says whether a call in a row is worth sending ahead. */
    public static boolean wants(PrefetchQueue queue, int position) {
        return queue.wants(position);
    }

    /** Ends one pass ahead. */
    public static void ahead(PrefetchQueue queue) {
        queue.ahead();
    }

    /** Ends running ahead. */
    public static void finish(@Nullable PrefetchQueue queue) {
        if (queue != null) {
            queue.finish();
        }
    }

    /** Called when the program begins a pass. */
    public static void begin(@Nullable PrefetchQueue queue) {
        if (queue != null) {
            queue.begin();
        }
    }

    /** Called when the program is about to run unknown code, input or output, or synchronisation (R61). */
    public static void stale(@Nullable PrefetchQueue queue) {
        if (queue != null) {
            queue.stale();
        }
    }

    /**
     * Called when the program is about to call an object that may be a stub, whose calls are counted elsewhere, or
     * unknown code.
     */
    public static void staleUnlessStub(@Nullable PrefetchQueue queue, @Nullable Object receiver) {
        if (queue != null && !(receiver instanceof Stub)) {
            queue.stale();
        }
    }

    /** An object is used: what was sent may become stale unless it is of the JDK and runs no code of the program. */
    public static void staleUnlessPlain(@Nullable PrefetchQueue queue, @Nullable Object object) {
        if (queue != null && !PlainClasses.isContained(object) && !PlainClasses.isIterator(object)) {
            queue.stale();
        }
    }

    /** A method of an object is called: what was sent may become stale unless the object is of exactly the class that was read. */
    public static void staleUnlessExactly(@Nullable PrefetchQueue queue, @Nullable Object object, Class<?> type) {
        if (queue != null && (object == null || object.getClass() != type)) {
            queue.stale();
        }
    }

    /** Called when the program leaves the loop or method: discards the calls that were not claimed. */
    public static void close(@Nullable PrefetchQueue queue) {
        if (queue != null) {
            queue.close();
        }
    }

    static @Nullable PrefetchQueue stretch(PrefetchPlace place, @Nullable PrefetchQueue before) {
        close(before);
        return PrefetchQueue.open(place);
    }

    static boolean send(int position, PrefetchQueue queue, @Nullable Encoded call) {
        return queue.send(position, call);
    }

    static @Nullable Object claim(int position, PrefetchQueue queue, @Nullable Encoded made) {
        return queue.claim(position, made);
    }

    static boolean mayClaim(int position, @Nullable PrefetchQueue queue) {
        return queue != null && queue.mayClaim(position);
    }

    static boolean send(int position, PrefetchQueue queue, int base, @Nullable Encoded call) {
        return queue.send(base + position, call);
    }

    static @Nullable Object claim(int position, PrefetchQueue queue, int base, @Nullable Encoded made) {
        return queue.claim(base + position, made);
    }

    static boolean mayClaim(int position, @Nullable PrefetchQueue queue, int base) {
        return queue != null && queue.mayClaim(base + position);
    }
}
