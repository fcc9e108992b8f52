package dev.cleave.config;

import dev.cleave.wire.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the sections of an application file; its lists of keys are all keys that a file may have. */
final class BindingsReader {

    static final List<String> ROOT = List.of(
            "application",
            "broker",
            "classpath",
            "allow",
            "benign",
            "pure",
            "services",
            "client",
            "pings",
            "admin",
            "mdc",
            "security");
    static final List<String> CALL = List.of(
            "style",
            "window",
            "idempotent",
            "deadline",
            "hedge",
            "pure",
            "read-only",
            "max-age",
            "speculative",
            "group",
            "priority",
            "communication",
            "transport",
            "aggregate",
            "later");
    static final List<String> SERVICE = List.of(
            "interface",
            "implementation",
            "replicas",
            "route",
            "balance",
            "migrate",
            "workers",
            "queue",
            "link",
            "interceptors",
            "style",
            "window",
            "idempotent",
            "deadline",
            "hedge",
            "pure",
            "read-only",
            "max-age",
            "speculative",
            "group",
            "priority",
            "communication",
            "transport",
            "aggregate",
            "methods");
    static final List<String> REPLICA = List.of("name", "host", "link", "options");
    static final List<String> LINK = List.of("delay", "rate", "per-reply");
    static final List<String> PINGS = List.of("every", "suspect", "down");
    static final List<String> CLIENT = List.of("main", "args");

    static final int MAX_WINDOW = 65_536;
    static final int MAX_WORKERS = 65_536;
    static final int MAX_QUEUE = 1_000_000;

    private BindingsReader() {}

    static Bindings read(Section root) {
        root.allow(ROOT);
        Map<String, ServiceBinding> services = new LinkedHashMap<>();
        root.sectionByName("services").forEach((name, section) -> services.put(name, service(name, section)));
        Section client = root.section("client").orElse(null);
        return new Bindings(
                root.text("application"),
                root.value("broker", Values::broker),
                root.values("allow", Values::className),
                services,
                client == null ? null : client(client),
                new Trust(root.values("benign", Values::className), root.values("pure", Values::className)),
                pings(root),
                new Operation(
                        root.value("admin", Values.number(1, 65_535)), root.values("mdc", Values::replicaName)),
                SecurityText.read(root),
                root.values("classpath", Values::path));
    }

    private static Pings pings(Section root) {
        Section section = root.section("pings").orElse(null);
        if (section == null) {
            return Pings.DEFAULT;
        }
        section.allow(PINGS);
        Duration every = section.value("every", Units::duration);
        Duration suspect = section.value("suspect", Units::duration);
        Duration down = section.value("down", Units::duration);
        try {
            return new Pings(
                    every == null ? Pings.DEFAULT.every() : every,
                    suspect == null ? Pings.DEFAULT.suspect() : suspect,
                    down == null ? Pings.DEFAULT.down() : down);
        } catch (IllegalArgumentException e) {
            throw section.place().mistake(String.valueOf(e.getMessage()));
        }
    }

    private static ServiceBinding service(String name, Section section) {
        section.place().read(name, Values::serviceName);
        section.allow(SERVICE);
        List<ReplicaBinding> replicas = replicas(section);
        Dispatch dispatch = dispatch(section, replicas);
        if (dispatch.route() == Route.RELAY) {
            TrafficText.checkDialled(section);
            section.sectionByName("methods").values().forEach(TrafficText::checkDialled);
        }
        return new ServiceBinding(
                name,
                new ServiceBinding.Contract(
                        section.value("interface", Values::className),
                        section.value("implementation", Values::className)),
                replicas,
                dispatch,
                call(section),
                methods(section),
                section.values("interceptors", Values::className));
    }

    private static List<ReplicaBinding> replicas(Section service) {
        Map<String, ReplicaBinding> replicas = new LinkedHashMap<>();
        for (Section section : service.sections("replicas")) {
            section.allow(REPLICA);
            String name = required(section, "name", Values::replicaName);
            String host = section.value("host", Values::host);
            ReplicaBinding replica = new ReplicaBinding(name, host, link(section), section.textByName("options"));
            if (replicas.put(name, replica) != null) {
                throw section.place("name").mistake(name + ": name given twice (expected: one replica of a name)");
            }
        }
        return new ArrayList<>(replicas.values());
    }

    private static Dispatch dispatch(Section section, List<ReplicaBinding> replicas) {
        Route route = section.value("route", Values.oneOf(Route.class));
        Balance balance = section.value("balance", text -> BalanceText.read(text, replicas));
        return new Dispatch(
                route == null ? Dispatch.DEFAULT.route() : route,
                balance == null ? Dispatch.DEFAULT.balance() : balance,
                section.value("workers", Values.number(1, MAX_WORKERS)),
                section.value("queue", Values.number(1, MAX_QUEUE)),
                link(section),
                migrate(section, replicas));
    }

    private static List<Linkage> migrate(Section section, List<ReplicaBinding> replicas) {
        LinkageText reader = new LinkageText(replicas);
        return section.values("migrate", reader::read).stream()
                .flatMap(List::stream)
                .toList();
    }

    private static int window(String text) {
        return text.equals("auto")
                ? CallBinding.AUTOMATIC_WINDOW
                : Values.number(1, MAX_WINDOW, ", or auto").apply(text);
    }

    private static CallBinding call(Section section) {
        return new CallBinding(
                section.value("style", Values.oneOf(Style.class)),
                section.value("window", BindingsReader::window),
                section.value("idempotent", Values::flag),
                section.value("deadline", Units::deadline),
                new Reads(
                        section.value("pure", Values::flag),
                        section.value("read-only", Values::flag),
                        section.value("max-age", Units::deadline)),
                section.value("speculative", Values::flag),
                section.value("group", Values::replicaName),
                section.value("priority", Values::expression),
                TrafficText.read(section),
                section.value("hedge", HedgeAfter::parse),
                section.has("later") ? section.values("later", Values::parameter) : null);
    }

    private static Map<String, MethodBinding> methods(Section service) {
        Map<String, MethodBinding> methods = new LinkedHashMap<>();
        service.sectionByName("methods").forEach((name, section) -> {
            section.allow(CALL);
            methods.put(name, new MethodBinding(section.place(), call(section)));
        });
        return methods;
    }

    private static @Nullable EmulatedLink link(Section parent) {
        Section section = parent.section("link").orElse(null);
        if (section == null) {
            return null;
        }
        section.allow(LINK);
        Duration delay = section.value("delay", Units::duration);
        Long rate = section.value("rate", Units::bytesPerSecond);
        Duration perReply = section.value("per-reply", Units::duration);
        return new EmulatedLink(
                delay == null ? Duration.ZERO : delay,
                rate == null ? 0 : rate,
                perReply == null ? Duration.ZERO : perReply);
    }

    private static ClientBinding client(Section section) {
        section.allow(CLIENT);
        return new ClientBinding(required(section, "main", Values::className), section.values("args", text -> text));
    }

    private static String required(Section section, String key, Function<String, String> reader) {
        String value = section.value(key, reader);
        if (value == null) {
            throw section.place().mistake("no " + key + " (expected: " + key + ": ...)");
        }
        return value;
    }
}
