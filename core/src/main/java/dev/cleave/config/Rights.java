package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rights of the identities of an application. What no grant allows is denied.
 *
 * <p>Names in grants may have {@code *} for any characters. Immutable.
 */
public final class Rights {

    /** All rights for all peers, also for those without an identity. */
    public static final Rights ALL = new Rights(List.of(), true);

    private final List<Grant> grants;
    private final boolean isOpen;

    /**
     * The rights of some identities.
     *
     * @param identity the name of one identity, or of all that match
     * @param register the services that it may serve
     * @param call the services, or single methods as {@code service.method}, that it may call
     * @param administer the commands that it may give: {@code drain}, {@code list}, {@code reload}
     */
    public record Grant(Pattern identity, List<Pattern> register, List<Pattern> call, List<Pattern> administer) {

        /** Copies its components. */
        public Grant {
            requireNonNull(identity, "identity");
            register = List.copyOf(register);
            call = List.copyOf(call);
            administer = List.copyOf(administer);
        }
    }

    private Rights(List<Grant> grants, boolean isOpen) {
        this.grants = List.copyOf(grants);
        this.isOpen = isOpen;
    }

    /** The rights that some grants give, and no others. */
    public static Rights of(List<Grant> grants) {
        return new Rights(grants, false);
    }

    /** Makes a pattern of a name with {@code *} for any characters. */
    public static Pattern pattern(String name) {
        return Pattern.compile(
                Stream.of(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
    }

    /** Whether all peers have all rights. */
    public boolean isOpen() {
        return isOpen;
    }

    /** Whether an identity may serve a service. */
    public boolean mayRegister(@Nullable String identity, String service) {
        return isOpen || has(identity, grant -> matches(grant.register(), service));
    }

    /** Whether an identity may call a method of a service. */
    public boolean mayCall(@Nullable String identity, String service, String method) {
        return isOpen
                || has(
                        identity,
                        grant -> matches(grant.call(), service) || matches(grant.call(), service + '.' + method));
    }

    /** Whether an identity may know where a service is: it may serve it, or call a method of it. */
    public boolean mayFind(@Nullable String identity, String service) {
        return mayRegister(identity, service)
                || mayAdminister(identity, "list")
                || has(identity, grant -> grant.call().stream().anyMatch(pattern -> mayMatchMethod(pattern, service)));
    }

    /** Whether an identity may give a command: {@code drain}, {@code list}. */
    public boolean mayAdminister(@Nullable String identity, String command) {
        return isOpen || has(identity, grant -> matches(grant.administer(), command));
    }

    private boolean has(@Nullable String identity, Predicate<Grant> right) {
        return identity != null
                && grants.stream()
                        .anyMatch(grant -> grant.identity().matcher(identity).matches() && right.test(grant));
    }

    private static boolean matches(List<Pattern> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(name).matches());
    }

    /** Whether a pattern matches the service, or can match one of its methods. */
    private static boolean mayMatchMethod(Pattern pattern, String service) {
        Matcher matcher = pattern.matcher(service + '.');
        return pattern.matcher(service).matches() || matcher.matches() || matcher.hitEnd();
    }
}
