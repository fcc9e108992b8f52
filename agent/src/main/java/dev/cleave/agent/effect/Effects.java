package dev.cleave.agent.effect;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.ScannedInterface;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Finds the effects of code; one object serves the classes of one loader, confined to one thread. */
public final class Effects {

    private static final JdkTable TABLE = JdkTable.load();

    private final RemoteCalls remote;
    private final Fields fields;
    private final Calls calls;

    /**
     * Creates the effects.
     *
     * @param files reads the program's classes
     */
    public Effects(ClassFiles files, RemoteCalls remote) {
        this.remote = remote;
        this.fields = new Fields(files);
        this.calls = new Calls(remote, TABLE, fields);
    }

    /** The setting of the remote method that a call calls, null if it calls none. */
    public @Nullable CallSetting settingOf(MethodInsnNode call) {
        return remote.settingOf(call.owner, call.name, call.desc);
    }

    /** Whether the result of a call may arrive while its caller uses it (L5). */
    public boolean arrivesLater(MethodInsnNode call) {
        return remote.latersOf(call.owner)
                .getOrDefault(call.name + call.desc, Set.of())
                .contains(ScannedInterface.RESULT);
    }

    /** Finds the effects of the ops of a body. */
    public BodyEffects of(MethodBody body) {
        return new BodyEffects(body, fields, calls, remote);
    }

    /** Returns a class as read from its file, null if there is none. */
    public @Nullable ClassNode classOf(String internalName) {
        return fields.classOf(internalName);
    }

    /** The effect of initialising a class when code of another one is the first to use it. */
    public Effect initialising(String owner, String user) {
        return calls.initialising(owner, user);
    }

    /**
     * Whether a class may use a field or method only because it is a subclass of the one that declares it: the nestmates of the class
     * may not.
     *
     * @param user the internal name of the class
     * @param named the internal name of the class that the instruction names
     */
    public boolean isForSubclasses(String user, String named, String member, String descriptor) {
        return fields.isForSubclasses(user, named, member, descriptor);
    }
}
