package dev.cleave.node;

import dev.cleave.serial.TypePolicy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the remote interface of an object that is to be served. */
final class RemoteTypes {

    private RemoteTypes() {}

    /**
     * The one remote interface that a class implements.
     *
     * @param named the interface's name if the application file gives one @throws IllegalArgumentException if there is
     * none, or more than one and none is named
     */
    static Class<?> only(Class<?> type, @Nullable String named) {
        Set<Class<?>> found = new LinkedHashSet<>();
        collect(type, found);
        if (named != null) {
            return found.stream()
                    .filter(c -> c.getName().equals(named))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(type.getName() + " does not implement " + named
                            + ", which the application file names as the interface"));
        }
        // If one interface extends another, the object is served through the extending one.
        Set<Class<?>> lowest = found.stream()
                .filter(c -> found.stream().noneMatch(d -> d != c && c.isAssignableFrom(d)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (lowest.size() != 1) {
            String names = lowest.stream().map(Class::getName).collect(Collectors.joining(", "));
            throw new IllegalArgumentException(type.getName() + " implements "
                    + (lowest.isEmpty()
                            ? "no remote interface (annotate one with @dev.cleave.Remote)"
                            : "several remote interfaces: " + names + " (name one in the application file)"));
        }
        return lowest.iterator().next();
    }

    private static void collect(@Nullable Class<?> type, Set<Class<?>> found) {
        if (type == null) {
            return;
        }
        if (TypePolicy.isRemote(type)) {
            found.add(type);
        }
        for (Class<?> above : type.getInterfaces()) {
            collect(above, found);
        }
        collect(type.getSuperclass(), found);
    }
}
