package dev.cleave.agent.plan.helper;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.plan.analysis.ClassCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The helpers of classes as seen from those that call them, shared by all classes of a loader. A class that is so many steps
 * away looks at classes one step farther, up to {@value #FARTHEST}: what a class is from there depends on class files
 * alone, and not on what was asked before. Confined to one thread.
 */
public final class OtherClasses {

    private static final int FARTHEST = 3;

    private final Effects effects;
    private final Predicate<MethodInsnNode> remote;
    private final Function<String, @Nullable ClassNode> files;
    private final Map<String, @Nullable ClassCode> classes = new HashMap<>();
    private final Map<Seen, @Nullable Helpers> known = new HashMap<>();

    private record Seen(String name, int distance) {}

    /**
     * Knows no class so far.
     *
     * @param effects what code does
     * @param remote which calls are remote
     * @param files reads a class that may call remote methods, by internal name; null for all others
     */
    public OtherClasses(
            Effects effects, Predicate<MethodInsnNode> remote, Function<String, @Nullable ClassNode> files) {
        this.effects = effects;
        this.remote = remote;
        this.files = files;
    }

    Effects effects() {
        return effects;
    }

    boolean isRemote(MethodInsnNode call) {
        return remote.test(call);
    }

    /** The helpers of a class that is so many steps away, null if it has none or is too far. */
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
