package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.LinkContext;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.Timer;
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

/** What the calls of one stub have in common: their ways, and what is learned of their methods. Thread-safe. */
final class CalledService {

    private static final int RESULTS_LEARNED = 8;

    private final RemoteInterface contract;
    private final @Nullable Target target;
    private final StubContext side;
    private final ServiceRoute route;
    private final ServiceRoute[] routes; // of the methods, by what carries their calls
    private final Codec codec;
    private final int[] numbers;
    private final AtomicReferenceArray<@Nullable AnswerTimes> times; // of methods that are hedged by them
    private final AtomicLongArray results; // the bytes that results of the methods have had
    private final GroupLanes groups = new GroupLanes();

    /** Creates that of a service, or of one object, to which {@code target} leads. */
    CalledService(RemoteInterface contract, StubContext side, ServiceRoute route, @Nullable Target target) {
        this.contract = requireNonNull(contract, "contract");
        this.side = requireNonNull(side, "side");
        this.route = requireNonNull(route, "route");
        this.target = target;
        codec = side.context().codec(contract);
        routes = contract.methods().stream()
                .map(m -> route.by(m.conduct().traffic().carrierOrAuto()))
                .toArray(ServiceRoute[]::new);
        times = new AtomicReferenceArray<>(routes.length);
        results = new AtomicLongArray(routes.length);
        numbers = contract.methods().stream()
                .mapToInt(m -> side.context().methodNumber(contract.service(), m.key()))
                .toArray();
    }

    /** The name of the service. */
    String name() {
        return contract.service();
    }

    RemoteInterface contract() {
        return contract;
    }

    /** The object that is called; null if a service is. */
    @Nullable
    Target target() {
        return target;
    }

    /** The number of the object that is called; null if a service is. */
    Reference.@Nullable Number object() {
        return target == null ? null : target.number();
    }

    /** The ways of the calls of any method. */
    ServiceRoute route() {
        return route;
    }

    /** The ways of the calls of a method. */
    ServiceRoute route(RemoteMethod method) {
        return routes[method.index()];
    }

    /** The number of a method in requests. */
    int number(RemoteMethod method) {
        return numbers[method.index()];
    }

    Codec codec() {
        return codec;
    }

    Timer timer() {
        return context().timer();
    }

    LinkContext context() {
        return side.context();
    }

    Resends resends() {
        return side.resends();
    }

    OneWays oneWays() {
        return side.oneWays();
    }

    References references() {
        return side.references();
    }

    GroupLanes groups() {
        return groups;
    }

    /** The room of calls that are sent before the program has come to their places. */
    AheadRoom aheadRoom() {
        return context().budget().ahead();
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
}
