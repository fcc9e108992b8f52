package dev.cleave.agent.plan.helper;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.plan.analysis.ClassCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The helpers of classes as seen from the classes that call them, shared by all classes of a loader. A class at
 * distance {@code n} from the class that is planned sees the helpers of classes at distance {@code n + 1}, up to
 * {@value #FARTHEST}: so its helpers depend on class files alone, and not on earlier questions. Confined to one thread.
 */
public final class OtherClasses {

    private static final int FARTHEST = 3;

    private final Effects effects;
    private final Predicate<MethodInsnNode> remote;
    private final Function<String, @Nullable ClassNode> files;
    private final BiFunction<String, String, @Nullable String> implementations;
    private final Map<String, @Nullable ClassCode> classes = new HashMap<>();
    private final Map<Seen, @Nullable Helpers> known = new HashMap<>();

    private record Seen(String name, int distance) {}

    /**
     * Knows no class so far.
     *
     * @param effects what code does
     * @param remote which calls are remote
     * @param files reads a class that may call remote methods, by internal name; null for all others
     * @param implementations finds the classes behind interfaces
     */
    public OtherClasses(
            Effects effects,
            Predicate<MethodInsnNode> remote,
            Function<String, @Nullable ClassNode> files,
            BiFunction<String, String, @Nullable String> implementations) {
        this.implementations = implementations;
        this.effects = effects;
        this.remote = remote;
        this.files = files;
    }

    Effects effects() {
        return effects;
    }

    /** The one class with remote calls that implements an interface, null if there is none, or several. */
    @Nullable
    String implementation(String type, String user) {
        return implementations.apply(type, user);
    }

    boolean isRemote(MethodInsnNode call) {
        return remote.test(call);
    }

    /**
     * Returns the helpers of a class at a distance in calls; null if it has none, or is farther than {@link #FARTHEST}.
     */
    @Nullable
    Helpers of(String name, int distance) {
        if (distance > FARTHEST) {
            return null;
        }
        Seen key = new Seen(name, distance);
        Helpers found = known.get(key);
        if (found == null && !known.containsKey(key)) {
            ClassCode code = codeOf(name);
            found = code == null ? null : new Helpers(code, this, Set.of(), distance);
            known.put(key, found);
        }
        return found;
    }

    private @Nullable ClassCode codeOf(String name) {
        if (!classes.containsKey(name)) {
            ClassNode node = files.apply(name);
            classes.put(name, node == null ? null : new ClassCode(node));
        }
        return classes.get(name);
    }

    /** How many classes it has read. */
    public int size() {
        return (int) classes.values().stream().filter(code -> code != null).count();
    }
}
