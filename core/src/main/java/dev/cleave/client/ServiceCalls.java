package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Chain;
import dev.cleave.call.Expression;
import dev.cleave.call.LinkContext;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.HedgeAfter;
import dev.cleave.ref.References;
import dev.cleave.ref.Target;
import dev.cleave.replica.AnswerTimes;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Reference;
import dev.cleave.stream.AheadRoom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** What one stub calls through: begins its calls and knows the way. Public for generated stubs alone. */
public final class ServiceCalls {

    private static final int RESULTS_LEARNED = 8;

    private final RemoteInterface contract;
    private final @Nullable Target target;
    private final StubContext side;
    private final ServiceRoute route;
    private final ServiceRoute[] routes; // of the methods, by what carries their calls
    private final Codec codec;
    private final RemoteMethod[] methods;
    private final int[] numbers;
    private final AtomicReferenceArray<@Nullable AnswerTimes> times; // of methods that are hedged by them
    private final AtomicLongArray results; // the bytes that results of the methods have had
    private final SpareCalls<Outgoing> spare;
    private final SpareCalls<Encoding> spareEncodings;
    private final GroupLanes groups = new GroupLanes();

    ServiceCalls(RemoteInterface contract, StubContext side, ServiceRoute route) {
        this(contract, side, route, null);
    }

    /** The calls of one object. */
    ServiceCalls(Target target, StubContext side) {
        this(target.contract(), side, new ReferenceRoute(target), target);
    }

    private ServiceCalls(RemoteInterface contract, StubContext side, ServiceRoute route, @Nullable Target target) {
        this.target = target;
        this.contract = requireNonNull(contract, "contract");
        this.side = requireNonNull(side, "side");
        this.route = requireNonNull(route, "route");
        codec = side.context().codec(contract);
        methods = contract.methods().toArray(new RemoteMethod[0]);
        routes = contract.methods().stream()
                .map(m -> route.by(m.conduct().traffic().carrierOrAuto()))
                .toArray(ServiceRoute[]::new);
        times = new AtomicReferenceArray<>(methods.length);
        results = new AtomicLongArray(methods.length);
        spare = new SpareCalls<>(methods.length);
        spareEncodings = new SpareCalls<>(methods.length);
        numbers = contract.methods().stream()
                .mapToInt(m -> side.context().methodNumber(contract.service(), m.key()))
                .toArray();
    }

    /** Begins a call of the method with an index. */
    public Outgoing begin(int index) {
        Outgoing known = spare.take(index);
        return known != null ? known.again() : new Outgoing(this, methods[index], numbers[index]);
    }

    /** Takes back what a call was written with. */
    void written(RemoteMethod method, Outgoing with) {
        spare.put(method.index(), with);
    }

    /** The key of the calls of a method, null if nobody asks for it. */
    @Nullable
    Expression key(RemoteMethod method) {
        return route.key(method);
    }

    /** Begins a call that is to stand in a chain: results that the chain passes on to it are not among its arguments. */
    public Outgoing begin(int index, Chain chain) {
        Outgoing call = begin(index);
        call.passes(chain.takePassed());
        return call;
    }

    /** Begins to write the arguments of a call of the method with an index, to be sent later or never. */
    public Encoding encode(int index) {
        Encoding known = spareEncodings.take(index);
        return known != null ? known.again() : new Encoding(this, methods[index], numbers[index]);
    }

    /** Takes back what arguments were written with. */
    void encoded(RemoteMethod method, Encoding with) {
        spareEncodings.put(method.index(), with);
    }

    /** The name of the service. */
    public String service() {
        return contract.service();
    }

    /** Describes the stub, for {@code toString}. */
    public String describe() {
        return target != null
                ? target.toString()
                : contract.type().getSimpleName() + " stub of service " + contract.service();
    }

    /** The object that the stub leads to, or null if it leads to a service. */
    public @Nullable Object target() {
        return target;
    }

    /** The number of the object that is called, or null if a service is. */
    Reference.@Nullable Number object() {
        return target == null ? null : target.number();
    }

    Codec codec() {
        return codec;
    }

    LinkContext context() {
        return side.context();
    }

    ServiceRoute route(RemoteMethod method) {
        return routes[method.index()];
    }

    /** How long the calls of a method take that is hedged by that. */
    AnswerTimes times(RemoteMethod method, HedgeAfter by) {
        AnswerTimes known = times.get(method.index());
        if (known != null) {
            return known;
        }
        AnswerTimes made = new AnswerTimes(by.perMille());
        return times.compareAndSet(method.index(), null, made) ? made : requireNonNull(times.get(method.index()));
    }

    /** The bytes that the next result of a method is likely to have; 0 if not known, or few. */
    long expectedResult(RemoteMethod method) {
        return results.get(method.index());
    }

    /** A result of a method has so many bytes: as many are expected next if they are more, and little by little if they are fewer. */
    void hasResult(RemoteMethod method, long bytes) {
        long before = results.get(method.index());
        if (bytes >= AheadRoom.LEAST || before > 0) {
            long next = bytes >= before ? bytes : before - (before - bytes) / RESULTS_LEARNED - 1;
            results.lazySet(method.index(), next < AheadRoom.LEAST ? 0 : next);
        }
    }

    /** The room of calls that are sent before the program has come to their places. */
    AheadRoom aheadRoom() {
        return side.context().budget().ahead();
    }

    Resends resends() {
        return side.resends();
    }

    GroupLanes groups() {
        return groups;
    }

    OneWays oneWays() {
        return side.oneWays();
    }

    References references() {
        return side.references();
    }
}
