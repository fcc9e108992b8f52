package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows which interfaces are remote, for each class loader.
 *
 * <p>An interface is remote if it, or a superinterface, is annotated {@code dev.cleave.Remote}, or if it extends {@code
 * java.rmi.Remote}. Hits and misses are kept, per loader, weakly. Two threads may read the same file twice; both find the
 * same. Interfaces that an index of the compiler names as not remote are not opened. Runs for every class that is
 * loaded, so it is written without lambdas, which would be the first in many JVMs.
 */
public final class RemoteInterfaceIndex {

    private static final String RMI = "java/rmi/Remote";
    private static final int DEEPEST = 64;

    private final ClassFileSource files;
    private final CallSettings settings;
    private final ConcurrentHashMap<String, Optional<ScannedInterface>> ofBootLoader = new ConcurrentHashMap<>();
    private final Map<ClassLoader, ConcurrentHashMap<String, Optional<ScannedInterface>>> ofLoader =
            new WeakHashMap<>(); // guarded by itself
    private final Map<ClassLoader, CompiledIndex> compiled = new WeakHashMap<>(); // guarded by itself
    private final boolean readsIndexes;

    /** Creates an empty index that reads interfaces from {@code files} and believes those alone. */
    public RemoteInterfaceIndex(ClassFileSource files, CallSettings settings) {
        this(files, settings, false);
    }

    private RemoteInterfaceIndex(ClassFileSource files, CallSettings settings, boolean readsIndexes) {
        this.files = requireNonNull(files, "files");
        this.settings = requireNonNull(settings, "settings");
        this.readsIndexes = readsIndexes;
    }

    /** Creates an empty index that asks loaders for class files, and first for what compilers wrote down. */
    public static RemoteInterfaceIndex ofLoaders(CallSettings settings) {
        return new RemoteInterfaceIndex(ClassFileSource.OF_LOADERS, settings, true);
    }

    /** The remote interface of this internal name, or null if there is none or it is not remote. */
    public @Nullable ScannedInterface find(@Nullable ClassLoader loader, String internalName) {
        if (CallbackTypes.isPlatform(internalName)) {
            return null;
        }
        ConcurrentHashMap<String, Optional<ScannedInterface>> known = known(loader);
        Optional<ScannedInterface> found = known.get(internalName);
        if (found == null) {
            found = compiled(loader).excludes(internalName) ? Optional.empty() : read(loader, internalName);
            known.put(internalName, found);
        }
        return found.orElse(null);
    }

    /** The setting of a call, or null if it is not a call of a remote method. */
    public @Nullable CallSetting call(@Nullable ClassLoader loader, String owner, String method, String descriptor) {
        ScannedInterface found = find(loader, owner);
        return found == null ? null : found.method(method, descriptor);
    }

    /** Whether the application file vouches for a method of the program. */
    public TrustLevel trustIn(String owner, String method) {
        return settings.trustIn(owner, method);
    }

    private ConcurrentHashMap<String, Optional<ScannedInterface>> known(@Nullable ClassLoader loader) {
        if (loader == null) {
            return ofBootLoader;
        }
        synchronized (ofLoader) {
            ConcurrentHashMap<String, Optional<ScannedInterface>> known = ofLoader.get(loader);
            if (known == null) {
                known = new ConcurrentHashMap<>();
                ofLoader.put(loader, known);
            }
            return known;
        }
    }

    /** Returns the indexes of compilers; holds no lock while it asks the loader. */
    private CompiledIndex compiled(@Nullable ClassLoader loader) {
        if (loader == null || !readsIndexes) {
            return CompiledIndex.NONE;
        }
        synchronized (compiled) {
            CompiledIndex known = compiled.get(loader);
            if (known != null) {
                return known;
            }
        }
        CompiledIndex read = CompiledIndex.of(loader);
        synchronized (compiled) {
            compiled.put(loader, read);
        }
        return read;
    }

    private Optional<ScannedInterface> read(@Nullable ClassLoader loader, String name) {
        Map<String, CallSetting> methods = new HashMap<>();
        Map<String, String> signatures = new HashMap<>();
        Map<String, Set<Integer>> laters = new HashMap<>();
        Map<String, Set<Integer>> streamables = new HashMap<>();
        if (!collect(loader, name, new Found(methods, signatures, laters, streamables), new HashSet<>(), 0)) {
            return Optional.empty();
        }
        CallbackTypes callbacks = new CallbackTypes(files, loader, type -> isRemote(loader, type));
        String binaryName = InterfaceFile.binaryName(name);
        methods.replaceAll((key, annotated) -> {
            CallSetting set = settings.of(binaryName, key.substring(0, key.indexOf('(')), annotated);
            CallSetting setting = set == null || annotated.equals(CallSetting.RESTORES) ? annotated : set;
            String signature = signatures.getOrDefault(key, key.substring(key.indexOf('(')));
            boolean isMoved = setting.style() == CallSetting.Style.ASYNC || setting.movesRestoring();
            if (!isMoved || !callbacks.leadBack(signature)) {
                return setting;
            }
            String others = setting.movesRestoring() ? null : CallbackTypes.withoutReferences(signature);
            return others == null || callbacks.leadBack(others)
                    ? CallSetting.of(CallSetting.Style.CALLS_BACK, 1)
                    : setting.with(CallSetting.Style.REFERS, setting.window());
        });
        return Optional.of(new ScannedInterface(name, methods, laters, streamables));
    }

    private boolean isRemote(@Nullable ClassLoader loader, String name) {
        Found ignored = new Found(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
        return !compiled(loader).excludes(name) && collect(loader, name, ignored, new HashSet<>(), 0);
    }

    /** The settings of methods that interface files declare, by name and descriptor. */
    private record Found(
            Map<String, CallSetting> settings,
            Map<String, String> signatures,
            Map<String, Set<Integer>> laters,
            Map<String, Set<Integer>> streamables) {}

    /**
     * Gathers the methods of an interface and its superinterfaces; nearer declarations win. Returns whether it is
     * remote.
     */
    private boolean collect(@Nullable ClassLoader loader, String name, Found found, Set<String> seen, int depth) {
        if (name.equals(RMI)) {
            return true;
        }
        if (depth > DEEPEST || CallbackTypes.isPlatform(name) || !seen.add(name)) {
            return false;
        }
        byte[] bytes = files.read(loader, name);
        InterfaceFile file = bytes == null ? null : InterfaceFile.read(bytes);
        if (file == null || !file.isInterface()) {
            return false;
        }
        file.settings().forEach(found.settings()::putIfAbsent);
        file.signatures().forEach(found.signatures()::putIfAbsent);
        file.laters().forEach(found.laters()::putIfAbsent);
        file.streamables().forEach(found.streamables()::putIfAbsent);
        boolean remote = file.marked();
        for (String parent : file.parents()) {
            remote |= collect(loader, parent, found, seen, depth + 1);
        }
        return remote;
    }
}
