package dev.cleave.agent.junit;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ProgramClasses;
import dev.cleave.agent.transform.ExcludedFromWeaving;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/** Defines the classes of the program anew, rewritten or not. All others are those of the parent. */
final class ProgramLoader extends ClassLoader implements ExcludedFromWeaving {

    static {
        registerAsParallelCapable();
    }

    private final Way way;
    private final Weaver weaver;
    private final List<String> packages;
    private final List<Verdict> verdicts = new ArrayList<>(); // guarded by itself

    /**
     * Makes a loader.
     *
     * @param packages of the program, beside what lies in folders
     */
    ProgramLoader(Way way, Weaver weaver, List<String> packages, ClassLoader parent) {
        super("test " + way, parent);
        this.way = way;
        this.weaver = weaver;
        this.packages = packages;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] classFile = isProgram(name) ? ClassFileSource.ofResources(this, name.replace('.', '/')) : null;
                loaded = classFile == null ? super.loadClass(name, false) : define(name, classFile);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    private Class<?> define(String name, byte[] classFile) {
        byte[] code = classFile;
        if (way == Way.REWRITTEN && weaver.concerns(this, classFile) && !Weaver.isWoven(classFile)) {
            Rewritten rewritten = weaver.weave(this, classFile);
            code = rewritten.classFile();
            synchronized (verdicts) {
                rewritten.verdicts().values().forEach(verdicts::addAll);
            }
        }
        int dot = name.lastIndexOf('.');
        if (dot > 0 && getDefinedPackage(name.substring(0, dot)) == null) {
            definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
        }
        return defineClass(name, code, 0, code.length);
    }

    private boolean isProgram(String name) {
        String internalName = name.replace('.', '/');
        if (!ProgramClasses.isProgram(internalName)) {
            return false;
        }
        URL url = getResource(internalName + ".class");
        boolean isNamed = packages.stream().anyMatch(root -> name.startsWith(root + "."));
        return url != null && (isNamed || url.getProtocol().equals("file"));
    }

    /** What became of the remote calls of the classes that were defined. */
    List<Verdict> verdicts() {
        synchronized (verdicts) {
            return List.copyOf(verdicts);
        }
    }
}
