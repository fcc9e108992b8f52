package dev.cleave.agent.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * Finds the class that implements an interface of the program and calls remote methods: among the nestmates of the
 * interface and of the class that uses it, and in the packages of both. No class is loaded. Confined to one thread.
 */
public final class Implementations {

    /** The most class files that are looked at for one question. */
    private static final int MOST = 2_000;

    private final ClassFiles files;
    private final ClassHierarchy hierarchy;
    private final Predicate<String> callers;
    private final Map<String, Optional<String>> known = new HashMap<>();
    private final Map<String, List<String>> folders = new HashMap<>();

    /**
     * Knows none so far.
     *
     * @param callers which classes call remote methods, by internal name
     */
    public Implementations(ClassFiles files, ClassHierarchy hierarchy, Predicate<String> callers) {
        this.files = files;
        this.hierarchy = hierarchy;
        this.callers = callers;
    }

    /**
     * The one class that implements an interface and calls remote methods, null if there is none, or several.
     *
     * @param type internal name of the interface
     * @param user internal name of the class that uses it
     */
    public @Nullable String of(String type, String user) {
        if (!ProgramClasses.isProgram(type)) {
            return null;
        }
        String key = type + ' ' + packageOf(user) + ' ' + outermost(user);
        return known.computeIfAbsent(key, asked -> Optional.ofNullable(find(type, user)))
                .orElse(null);
    }

    private @Nullable String find(String type, String user) {
        Set<String> names = new LinkedHashSet<>();
        for (String each : List.of(type, user)) {
            names.addAll(nestOf(outermost(each)));
            names.addAll(folders.computeIfAbsent(packageOf(each), folder -> files.beside(each)));
        }
        if (names.size() > MOST) {
            return null;
        }
        List<String> found = new ArrayList<>();
        for (String name : names) {
            if (!name.equals(type) && callers.test(name) && isConcrete(name) && isA(name, type)) {
                found.add(name);
            }
        }
        return found.size() == 1 ? found.get(0) : null;
    }

    private boolean isConcrete(String name) {
        ClassHierarchy.ClassInfo info = hierarchy.find(name);
        return info != null && (info.access() & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0;
    }

    private boolean isA(String name, String type) {
        ClassHierarchy.ClassInfo info = hierarchy.find(name);
        if (info == null) {
            return false;
        }
        if (info.interfaces().contains(type)) {
            return true;
        }
        String above = info.superName();
        boolean isBelow = above != null && ProgramClasses.isProgram(above) && isA(above, type);
        return isBelow
                || info.interfaces().stream().anyMatch(each -> ProgramClasses.isProgram(each) && isA(each, type));
    }

    private List<String> nestOf(String host) {
        byte[] file = files.read(host);
        if (file == null) {
            return List.of();
        }
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        List<String> nest = new ArrayList<>(node.nestMembers == null ? List.of() : node.nestMembers);
        nest.add(host);
        return nest;
    }

    private static String outermost(String name) {
        int at = name.indexOf('$', name.lastIndexOf('/') + 2);
        return at < 0 ? name : name.substring(0, at);
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('/') + 1);
    }
}
