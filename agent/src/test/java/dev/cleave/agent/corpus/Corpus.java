package dev.cleave.agent.corpus;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Jars whose classes are rewritten as if calls of their interfaces were remote; several threads may rewrite one each. */
final class Corpus {

    private final List<CorpusJar> jars;
    private final Way way;
    private final RemoteCalls remote;
    private final Map<String, byte[]> first = new HashMap<>();

    /**
     * Creates a corpus.
     *
     * @param jars what is rewritten; each sees its own classes first, then those of the others, then this JVM's
     * @param way how the interfaces were chosen
     * @param remote which calls are taken as remote
     */
    Corpus(List<CorpusJar> jars, Way way, RemoteCalls remote) {
        this.jars = List.copyOf(jars);
        this.way = way;
        this.remote = remote;
        for (CorpusJar jar : jars) {
            jar.classes().forEach(first::putIfAbsent);
        }
    }

    /** Rewrites a jar and writes the classes that changed to a new one. */
    Tally rewrite(CorpusJar jar, Path woven) throws IOException {
        Tally tally = new Tally();
        ClassRewriter rewriter = new ClassRewriter(filesOf(jar), remote);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(woven))) {
            for (Map.Entry<String, byte[]> file : jar.classes().entrySet()) {
                Rewritten rewritten = rewrite(rewriter, jar, file.getKey(), file.getValue(), tally);
                if (rewritten != null && rewritten.changed()) {
                    out.putNextEntry(new ZipEntry(file.getKey() + ".class"));
                    out.write(rewritten.classFile());
                    out.closeEntry();
                }
            }
        }
        return tally;
    }

    private @Nullable Rewritten rewrite(ClassRewriter rewriter, CorpusJar jar, String name, byte[] file, Tally tally) {
        try {
            long begun = System.nanoTime();
            Rewritten rewritten = rewriter.rewrite(file);
            tally.addClass(rewritten.changed(), System.nanoTime() - begun);
            count(file, rewritten, tally);
            rewritten
                    .defects()
                    .forEach(defect -> tally.addFailure(jar.name() + ": " + name + way.label() + ": " + defect));
            return rewritten;
        } catch (Throwable t) { // the evidence: none may occur; the agent would leave the class as it is
            tally.addFailure(jar.name() + ": " + name + way.label() + ": " + t);
            return null;
        }
    }

    private void count(byte[] file, Rewritten rewritten, Tally tally) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, ClassReader.EXPAND_FRAMES);
        for (MethodNode method : node.methods) {
            List<Verdict> verdicts = rewritten.verdicts().getOrDefault(method.name + method.desc, List.of()).stream()
                    .filter(verdict -> !verdict.isHelpers())
                    .toList();
            List<LoopSites.Standing> standings = verdicts.isEmpty() ? List.of() : standings(node, method);
            for (int i = 0; i < verdicts.size(); i++) {
                boolean isKnown = standings.size() == verdicts.size();
                tally.addSite(verdicts.get(i), isKnown ? standings.get(i) : LoopSites.Standing.OUTSIDE);
            }
        }
    }

    private List<LoopSites.Standing> standings(ClassNode owner, MethodNode method) {
        try {
            MethodBody body = IrBuilder.build(owner.name, owner.version & 0xFFFF, method);
            return LoopSites.of(body, this::isRemote);
        } catch (Unsupported e) {
            return List.of();
        }
    }

    private boolean isRemote(Op op) {
        MethodInsnNode call = op instanceof InsnOp insn ? insn.method() : null;
        return call != null
                && call.getOpcode() == Opcodes.INVOKEINTERFACE
                && remote.settingOf(call.owner, call.name, call.desc) != null;
    }

    private ClassFiles filesOf(CorpusJar jar) {
        return new ClassFiles() {
            @Override
            public byte @Nullable [] read(String internalName) {
                byte[] own = jar.find(internalName);
                byte[] found = own != null ? own : first.get(internalName);
                return found != null ? found : ClassFileSource.ofResources(null, internalName);
            }

            @Override
            public List<String> beside(String internalName) {
                return jar.beside(internalName);
            }
        };
    }

    List<CorpusJar> jars() {
        return jars;
    }
}
