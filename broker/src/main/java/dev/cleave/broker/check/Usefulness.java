package dev.cleave.broker.check;

import dev.cleave.Inline;
import dev.cleave.Serial;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Balance;
import dev.cleave.config.CallBinding;
import dev.cleave.config.Dispatch;
import dev.cleave.config.ServiceBinding;
import dev.cleave.config.Style;
import dev.cleave.server.Server;
import dev.cleave.wire.Route;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names the settings of a service that cannot help as the others are. */
final class Usefulness {

    /** The workers of a replica for which none are set, on any machine. */
    private static final int LEAST_WORKERS = 4;

    private final ServiceBinding service;
    private final ServiceCheck checked;
    private final FindingList found;
    private final SiteVerdicts sites;
    private final String key;
    private final int workers;

    Usefulness(ServiceBinding service, ServiceCheck checked, FindingList found, SiteVerdicts sites) {
        this.service = service;
        this.checked = checked;
        this.found = found;
        this.sites = sites;
        key = "services." + service.name();
        Integer own = service.dispatch().workers();
        workers = own == null ? LEAST_WORKERS : own;
    }

    void check() {
        Dispatch dispatch = service.dispatch();
        int replicas = service.replicas().size();
        boolean chooses = !(dispatch.balance() instanceof Balance.Demand || dispatch.balance() instanceof Balance.Pull);
        if (replicas == 1 && chooses && found.has(key + ".balance")) {
            found.warning(key + ".balance", "nothing to choose: there is one replica");
        }
        if (dispatch.balance() instanceof Balance.Demand demand) {
            demand(demand.window());
        }
        calls("", service.calls(), checked.methods());
        service.methods()
                .forEach((name, binding) -> calls(
                        ".methods." + name,
                        binding.call(),
                        checked.methods().stream()
                                .filter(method -> method.method().getName().equals(name))
                                .toList()));
    }

    private void demand(int window) {
        int room = workers + queue();
        if (window > room) {
            found.warning(
                    key + ".balance",
                    "demand(" + window + ") is more than a replica takes (workers: " + workers + ", queue: " + queue()
                            + "): the calls above " + room + " are refused");
        }
    }

    private int queue() {
        Integer own = service.dispatch().queue();
        return own == null ? Server.Capacity.DEFAULT.queue() : own;
    }

    /** Checks the settings of one section; those that methods inherit are checked where they stand. */
    private void calls(String at, CallBinding own, List<RemoteMethod> methods) {
        String section = key + at;
        List<Seen> seen = methods.stream()
                .map(method -> new Seen(method, service.call(method.method().getName())))
                .toList();
        window(section, own, seen);
        if (own.hedge() != null) {
            hedge(section, own.hedge().time(), seen);
        }
        if (own.priority() != null && !own.priority().equals(CallBinding.NO_PRIORITY)) {
            priority(section, seen);
        }
        if (own.reads().maxAge() != null && !seen.isEmpty() && seen.stream().noneMatch(Seen::isReadOnly)) {
            found.warning(
                    section + ".max-age",
                    "no result is read ahead of its call (expected: read-only: true beside it, or @ReadOnly)");
        }
        if (own.prefer() != null && !seen.isEmpty() && seen.stream().noneMatch(Seen::hasPriority)) {
            found.warning(section + ".prefer", "no call has a priority (expected: priority: beside it, or @Priority)");
        }
        boolean allSync = allSync(seen);
        if (allSync && own.traffic().aggregate() != null) {
            found.warning(section + ".aggregate", "nothing is gathered: the program waits for each sync call");
        }
        if (allSync && Boolean.TRUE.equals(own.speculative())) {
            found.warning(
                    section + ".speculative", "no sync call is started ahead of its place (expected: style: async)");
        }
        if (own.style() == Style.ASYNC) {
            async(section, seen);
        }
    }

    private static boolean allSync(List<Seen> seen) {
        return !seen.isEmpty() && seen.stream().allMatch(each -> each.style() == Style.SYNC && !each.reads());
    }

    private void window(String section, CallBinding own, List<Seen> seen) {
        Integer window = own.window();
        if (window == null || window == CallBinding.AUTOMATIC_WINDOW) {
            return;
        }
        boolean opens = seen.isEmpty()
                || seen.stream()
                        .anyMatch(each -> each.style() == Style.ASYNC || each.style() == Style.CHAINED || each.reads());
        if (!opens) {
            found.warning(section + ".window", "a loop keeps one sync call in flight (expected: style: async)");
            return;
        }
        int replicas = Math.max(1, service.replicas().size());
        long room = (long) replicas * (workers + queue());
        boolean isHeld = service.dispatch().route() == Route.RELAY
                || service.dispatch().balance() instanceof Balance.Demand
                || service.dispatch().balance() instanceof Balance.Pull
                || service.dispatch().balance() instanceof Balance.LeastLoaded
                || service.dispatch().balance() instanceof Balance.Learned;
        if (window > room && !isHeld && service.dispatch().queue() != null) {
            found.warning(
                    key + ".queue",
                    queue() + " is smaller than the window of " + window + " calls in front of it: " + replicas
                            + (replicas == 1 ? " replica takes " : " replicas take ") + room
                            + ", the others are refused (expected: queue: "
                            + Math.max(1, (window + replicas - 1) / replicas - workers)
                            + " or more, or a smaller window)");
        }
    }

    private void hedge(String section, @Nullable Duration after, List<Seen> seen) {
        if (service.replicas().size() == 1) {
            found.warning(section + ".hedge", "there is no second replica to send a call to");
        }
        if (!seen.isEmpty() && seen.stream().noneMatch(Seen::isIdempotent)) {
            found.warning(
                    section + ".hedge",
                    "no call may be sent twice (expected: @Idempotent, @ReadOnly or @Pure in the interface)");
        }
        if (after != null
                && seen.stream()
                        .anyMatch(each -> after.compareTo(each.deadline().dividedBy(2)) > 0)) {
            found.warning(section + ".hedge", "a call is given up before it is hedged: half of the deadline is sooner");
        }
    }

    private void priority(String section, List<Seen> seen) {
        Class<?> type = checked.implementation();
        if (type != null && type.isAnnotationPresent(Serial.class)) {
            found.warning(
                    section + ".priority",
                    type.getSimpleName() + " is @Serial: its calls run in the order in which they arrive");
        } else if (!seen.isEmpty() && seen.stream().allMatch(each -> each.style() == Style.CHAINED)) {
            found.warning(section + ".priority", "chained calls keep their order");
        } else if (service.replicas().size() == 1 && workers == 1 && allSync(seen)) {
            found.warning(
                    section + ".priority",
                    "a loop of sync calls has one at a time: only those of several threads or callers wait (expected: style:"
                            + " async)");
        }
        for (Seen each : seen) {
            if (type != null && isInline(type, each.method().method())) {
                found.mistake(
                        section + ".priority",
                        each.method().label() + " is @Inline in " + type.getName() + ": its calls enter no queue");
            }
        }
    }

    private static boolean isInline(Class<?> type, Method method) {
        try {
            return type.getMethod(method.getName(), method.getParameterTypes()).isAnnotationPresent(Inline.class);
        } catch (NoSuchMethodException | LinkageError e) {
            return false;
        }
    }

    private void async(String section, List<Seen> seen) {
        for (Seen each : seen) {
            if (each.style() != Style.ASYNC) {
                continue;
            }
            List<SiteVerdicts.Site> calls = sites.of(each.method().label());
            if (!calls.isEmpty() && calls.stream().allMatch(SiteVerdicts.Site::isSequential)) {
                SiteVerdicts.Site first = calls.get(0);
                found.warning(
                        section + ".style",
                        "async frees no call of " + each.method().label() + ": "
                                + (calls.size() == 1 ? "the one" : "each of " + calls.size())
                                + " stays sequential, as at " + first.place()
                                + (first.reason().isEmpty() ? "" : ": " + first.reason()));
            }
        }
    }

    /** A method, with what the file says of it. */
    private record Seen(RemoteMethod method, CallBinding call) {

        Style style() {
            return call.style() != null ? call.style() : method.conduct().style();
        }

        Duration deadline() {
            return call.deadline() != null ? call.deadline() : method.conduct().deadline();
        }

        boolean isIdempotent() {
            return method.conduct().idempotent() && !Boolean.FALSE.equals(call.idempotent());
        }

        boolean hasPriority() {
            return call.priority() != null
                    ? !call.priority().equals(CallBinding.NO_PRIORITY)
                    : method.priority() != null;
        }

        boolean reads() {
            Boolean said = call.reads().changesNothing();
            return said != null ? said : method.conduct().changesNothing();
        }

        boolean isReadOnly() {
            return reads() && !Boolean.TRUE.equals(call.reads().pure());
        }
    }
}
