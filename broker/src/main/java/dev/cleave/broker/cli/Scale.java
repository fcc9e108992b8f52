package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import dev.cleave.config.Nearest;
import dev.cleave.config.ReplicaBinding;
import dev.cleave.config.ServiceBinding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Another number of replicas than the file names. */
final class Scale {

    private static final int MOST = 1_000;

    private Scale() {}

    /**
     * Sets the numbers of replicas for this process and those that it starts. Replicas of the file come first; further ones
     * are named after their service, and have the options of the last one of the file.
     *
     * @param counts the numbers, by service
     */
    static void apply(Path file, Map<String, Integer> counts) {
        Bindings bindings = Bindings.load(file);
        counts.forEach((name, count) -> {
            ServiceBinding service = bindings.services().get(name);
            if (service == null) {
                throw new CommandException("--scale " + name + ": no such service "
                        + Nearest.hint(name, bindings.services().keySet()));
            }
            if (count < 1 || count > MOST) {
                throw new CommandException(
                        "--scale " + name + "=" + count + " (expected: a number from 1 to " + MOST + ")");
            }
            System.setProperty("cleave.services." + name + ".replicas", replicas(service, count));
        });
    }

    private static String replicas(ServiceBinding service, int count) {
        List<String> items = new ArrayList<>();
        List<String> names = new ArrayList<>();
        String options = "";
        for (ReplicaBinding replica : service.replicas()) {
            if (items.size() < count) {
                items.add(item(replica));
            }
            names.add(replica.name());
            options = options(replica);
        }
        for (int number = 1; items.size() < count; number++) {
            String name = service.name().replaceAll("[^A-Za-z0-9._-]", "-") + "-" + number;
            if (!names.contains(name)) {
                items.add("{name: \"" + name + "\"" + options + "}");
            }
        }
        return "[" + String.join(", ", items) + "]";
    }

    private static String item(ReplicaBinding replica) {
        if (replica.link() != null) {
            throw new CommandException("--scale: replica " + replica.name()
                    + " has a link of its own (expected: the link of its service)");
        }
        return "{name: " + quoted(replica.name()) + (replica.host() == null ? "" : ", host: " + quoted(replica.host()))
                + options(replica) + "}";
    }

    private static String options(ReplicaBinding replica) {
        List<String> options = new ArrayList<>();
        replica.options().forEach((word, text) -> options.add(quoted(word) + ": " + quoted(text)));
        return options.isEmpty() ? "" : ", options: {" + String.join(", ", options) + "}";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
