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

    static final int MAX_WINDOW = 65_536;
    static final int MAX_WORKERS = 65_536;
    static final int MAX_QUEUE = 1_000_000;

    private BindingsReader() {}

    static Bindings read(Section root) {
        root.allow(KeyLists.ROOT);
        Map<String, ServiceBinding> services = new LinkedHashMap<>();
        Hosts hosts = Hosts.read(root);
        root.sectionByName("services").forEach((name, section) -> {
            ServiceBinding service = section.attempt(() -> service(name, section, hosts));
            if (service != null) {
                services.put(name, service);
            }
        });
        Section client = root.section("client").orElse(null);
        String broker = root.value("broker", Values::broker);
        return new Bindings(
                root.text("application"),
                broker == null ? null : hosts.endpoint(broker),
                root.values("allow", Values::allowed),
                root.values("codecs", Values::className),
                services,
                client == null ? null : client.attempt(() -> client(client)),
                new Trust(root.values("benign", Values::className), root.values("pure", Values::className)),
                pings(root),
                new Operation(root.value("admin", Values.number(1, 65_535)), root.values("mdc", Values::replicaName)),
                SecurityText.read(root),
                root.values("classpath", Values::path));
    }

    private static Pings pings(Section root) {
        Section section = root.section("pings").orElse(null);
        if (section == null) {
            return Pings.DEFAULT;
        }
        section.allow(KeyLists.PINGS);
        Pings read = section.attempt(() -> pings(section, Pings.DEFAULT));
        return read == null ? Pings.DEFAULT : read;
    }

    private static Pings pings(Section section, Pings usual) {
        Duration every = section.value("every", Units::duration);
        Duration suspect = section.value("suspect", Units::duration);
        Duration down = section.value("down", Units::duration);
        try {
            return new Pings(
                    every == null ? usual.every() : every,
                    suspect == null ? usual.suspect() : suspect,
                    down == null ? usual.down() : down);
        } catch (IllegalArgumentException e) {
            throw section.place().mistake(String.valueOf(e.getMessage()));
        }
    }

    private static ServiceBinding service(String name, Section section, Hosts hosts) {
        section.place().read(name, Values::serviceName);
        section.allow(KeyLists.SERVICE);
        List<ReplicaBinding> replicas = replicas(section, hosts);
        Dispatch dispatch = dispatch(section, replicas);
        if (dispatch.route() == Route.RELAY) {
            TrafficText.checkDialled(section);
            section.sectionByName("methods").values().forEach(TrafficText::checkDialled);
        }
        return new ServiceBinding(
                name,
                new ServiceBinding.Contract(
                        section.value("interface", Values::className),
                        section.value("implementation", Values::className),
                        section.values("codecs", Values::className)),
                replicas,
                dispatch,
                call(section),
                methods(section),
                section.values("interceptors", Values::className));
    }

    private static List<ReplicaBinding> replicas(Section service, Hosts hosts) {
        Map<String, ReplicaBinding> replicas = new LinkedHashMap<>();
        for (Section section : service.sections("replicas")) {
            ReplicaBinding unused = section.attempt(() -> {
                ReplicaBinding replica = replica(section, hosts);
                if (replicas.put(replica.name(), replica) != null) {
                    throw section.place("name")
                            .mistake(replica.name() + ": name given twice (expected: one replica of a name)");
                }
                return replica;
            });
        }
        return new ArrayList<>(replicas.values());
    }

    private static ReplicaBinding replica(Section section, Hosts hosts) {
        section.allow(KeyLists.REPLICA);
        String name = required(section, "name", Values::replicaName);
        String host = section.value("host", Values::host);
        return new ReplicaBinding(name, hosts.of(host, name), link(section), section.textByName("options"));
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
                section.value("prefer", Values.oneOf(Preference.class)),
                TrafficText.read(section),
                section.value("hedge", HedgeAfter::parse),
                section.has("later") ? section.values("later", Values::parameter) : null);
    }

    private static Map<String, MethodBinding> methods(Section service) {
        Map<String, MethodBinding> methods = new LinkedHashMap<>();
        service.sectionByName("methods").forEach((name, section) -> {
            section.allow(KeyLists.CALL);
            methods.put(name, new MethodBinding(section.place(), call(section)));
        });
        return methods;
    }

    private static @Nullable EmulatedLink link(Section parent) {
        Section section = parent.section("link").orElse(null);
        if (section == null) {
            return null;
        }
        section.allow(KeyLists.LINK);
        Duration delay = section.value("delay", Units::duration);
        Long rate = section.value("rate", Units::bytesPerSecond);
        Duration perReply = section.value("per-reply", Units::duration);
        return new EmulatedLink(
                delay == null ? Duration.ZERO : delay,
                rate == null ? 0 : rate,
                perReply == null ? Duration.ZERO : perReply);
    }

    private static ClientBinding client(Section section) {
        section.allow(KeyLists.CLIENT);
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
