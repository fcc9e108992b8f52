package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.LinkContext;
import dev.cleave.call.Ratings;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.intercept.Interceptors;
import dev.cleave.ref.References;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Reference;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calls of objects that have no name: their arguments begin with the sixteen bytes of the object's number.
 *
 * <p>They have workers of their own: a worker of this node often waits for a call to the node that calls such an
 * object.
 */
final class ObjectCalls implements AutoCloseable {

    static final int LEAST_WORKERS = 16;

    private final LinkContext context;
    private final References references;
    private final Server.Capacity capacity;
    private final Function<String, Interceptors> interceptors;
    private @Nullable Dispatcher dispatcher; // guarded by this; made for the first call
    private boolean closed; // guarded by this
    private final SerialGates gates = new SerialGates();
    private final Map<Class<?>, Skeleton> skeletons = new ConcurrentHashMap<>();
    private final Map<String, Contract> contracts = new ConcurrentHashMap<>(); // by service

    /** An interface as its objects are called. */
    private record Contract(
            RemoteInterface type,
            Skeleton skeleton,
            Codec codec,
            Ratings ratings,
            Map<String, RemoteMethod> methods,
            ClassValue<InlineMethods> inline,
            EarlyMethods early,
            Paces paces,
            Interception around) {}

    ObjectCalls(
            LinkContext context,
            References references,
            Server.Capacity capacity,
            Function<String, Interceptors> interceptors) {
        this.context = requireNonNull(context, "context");
        this.references = requireNonNull(references, "references");
        this.capacity = requireNonNull(capacity, "capacity");
        this.interceptors = requireNonNull(interceptors, "interceptors");
    }

    References references() {
        return references;
    }

    SerialGates gates() {
        return gates;
    }

    /** Answers a request that is not executed. */
    @FunctionalInterface
    interface Refusal {

        void send(ErrorCode code, String why);
    }

    /**
     * Handles a request for a method of an object. Retains the frame to keep it.
     *
     * @param runner gives the call to its dispatcher
     * @param refusal of the request, and of what is behind it in its lane
     */
    void onRequest(Invocation.Origin from, String name, ByteBuf frame, Consumer<Invocation> runner, Refusal refusal) {
        int end = name.indexOf('\n');
        if (frame.readableBytes() < 2 * Long.BYTES) {
            refusal.send(ErrorCode.PROTOCOL, "call of an object without its number (expected: 16 bytes)");
            return;
        }
        Reference.Number number = new Reference.Number(frame.readLong(), frame.readLong());
        References.Called called = references.called(number, name.substring(0, end));
        if (called == null) {
            String why = "node " + context.hello().node() + " has no such object"
                    + " (it was freed or unexported, or no peer held it)";
            refusal.send(ErrorCode.NO_SUCH_REFERENCE, why);
            return;
        }
        Contract contract = contract(called.contract());
        RemoteMethod method = contract.methods().get(name.substring(end + 1));
        if (method == null) {
            String why = called.contract().type().getName() + " has no method " + name.substring(end + 1)
                    + " (is the caller newer?)";
            refusal.send(ErrorCode.NO_SUCH_METHOD, why);
            return;
        }
        Dispatcher workers = workers();
        if (workers == null) {
            refusal.send(ErrorCode.OVERLOAD, "the node is closing");
            return;
        }
        Object target = references.target(called, from.link().tables(from.head().peer()));
        Exported.Order order = new Exported.Order(
                workers,
                contract.ratings(),
                gates.of(called.object()),
                contract.inline().get(target.getClass()),
                contract.early(),
                contract.paces());
        Exported exported = new Exported(
                called.contract(),
                new Exported.Targets(target, contract.around().around(called.contract(), target), contract.around()),
                contract.skeleton(),
                contract.codec(),
                order);
        runner.accept(new Invocation(from, frame.retain(), exported, method));
    }

    /** Takes calls out of the queue, and runs {@code action} on each. */
    void take(Predicate<Invocation> which, Consumer<Invocation> action) {
        Dispatcher known = known();
        if (known != null) {
            known.take(which, action);
        }
    }

    /** Takes one call out of the queue, if it waits. */
    void take(Invocation.Key key, Consumer<Invocation> action) {
        Dispatcher known = known();
        if (known != null) {
            known.take(key, action);
        }
    }

    /** Tells a call that runs that its caller has given it up. */
    void giveUp(Invocation.Key key) {
        Dispatcher known = known();
        if (known != null) {
            known.giveUp(key);
        }
    }

    /** Moves a call that a caller waits for before those that are only sent ahead. */
    void promote(Invocation.Key key) {
        Dispatcher known = known();
        if (known != null) {
            known.promote(key);
        }
    }

    private synchronized @Nullable Dispatcher known() {
        return dispatcher;
    }

    @Override
    public void close() {
        Dispatcher known;
        synchronized (this) {
            closed = true;
            known = dispatcher;
        }
        if (known != null) {
            known.close();
        }
    }

    private synchronized @Nullable Dispatcher workers() {
        if (dispatcher == null && !closed) {
            String name = context.hello().node() + "-objects";
            int threads = Math.max(LEAST_WORKERS, capacity.workers());
            dispatcher = Dispatcher.start(name, threads, capacity.queue(), context.timer());
        }
        return closed ? null : dispatcher;
    }

    private Contract contract(RemoteInterface type) {
        Contract known = contracts.get(type.service());
        if (known != null && known.type() == type) {
            return known;
        }
        // One skeleton serves objects of all classes: those whose code takes arguments while they arrive find them
        // complete.
        EarlyMethods early = EarlyMethods.of(type, type.type(), Ratings.NONE);
        Skeleton skeleton =
                skeletons.computeIfAbsent(type.type(), t -> SkeletonFactory.skeleton(type, Ratings.NONE, early));
        Map<String, RemoteMethod> methods =
                type.methods().stream().collect(Collectors.toMap(RemoteMethod::key, Function.identity()));
        ClassValue<InlineMethods> inline = new ClassValue<>() {
            @Override
            protected InlineMethods computeValue(Class<?> implementation) {
                return InlineMethods.of(type, implementation);
            }
        };
        Interception around = new Interception(interceptors.apply(type.type().getName()));
        Contract made = new Contract(
                type, skeleton, context.codec(type), Ratings.NONE, methods, inline, early, new Paces(type), around);
        contracts.put(type.service(), made);
        return made;
    }
}
