package dev.cleave.config;

import java.util.List;

/** All keys that an application file may have. */
final class KeyLists {

    static final List<String> ROOT = List.of(
            "application",
            FileForm.INCLUDE,
            "hosts",
            "broker",
            "classpath",
            "allow",
            "codecs",
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
            "prefer",
            "communication",
            "transport",
            "aggregate",
            "later");
    static final List<String> SERVICE = List.of(
            "interface",
            "implementation",
            "codecs",
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
            "prefer",
            "communication",
            "transport",
            "aggregate",
            "methods");
    static final List<String> REPLICA = List.of("name", "host", "link", "options");
    static final List<String> LINK = List.of("delay", "rate", "per-reply");
    static final List<String> PINGS = List.of("every", "suspect", "down");
    static final List<String> CLIENT = List.of("main", "args");

    private KeyLists() {}

    /**
     * Returns the keys that the section of a path may have; none if those are names that the file chooses.
     *
     * @param path the keys that lead to the section; the items of a list by their names
     */
    static List<String> below(List<String> path) {
        if (path.isEmpty()) {
            return ROOT;
        }
        String first = path.get(0);
        String last = path.get(path.size() - 1);
        return switch (path.size()) {
            case 1 ->
                first.equals("client")
                        ? CLIENT
                        : first.equals("pings") ? PINGS : first.equals("security") ? SecurityText.SECURITY : List.of();
            case 2 -> first.equals("services") ? SERVICE : List.of();
            case 3 -> first.equals("services") ? nested(last) : List.of();
            case 4 -> path.get(2).equals("methods") ? CALL : path.get(2).equals("replicas") ? REPLICA : List.of();
            default -> nested(last);
        };
    }

    private static List<String> nested(String key) {
        return key.equals("link") ? LINK : key.equals("aggregate") ? TrafficText.AGGREGATE : List.of();
    }
}
