package dev.cleave.agent.effect;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.scan.ClassFiles;

/** Knows what code does; one for the classes of one loader, confined to one thread. */
public final class Effects {

    private static final JdkTable TABLE = JdkTable.load();

    private final RemoteCalls remote;
    private final Fields fields;
    private final Calls calls;

    /**
     * Makes one.
     *
     * @param files where the program's classes are read
     */
    public Effects(ClassFiles files, RemoteCalls remote) {
        this.remote = remote;
        this.fields = new Fields(files);
        this.calls = new Calls(remote, TABLE, fields);
    }

    /** What the ops of a body do. */
    public BodyEffects of(MethodBody body) {
        return new BodyEffects(body, fields, calls, remote);
    }
}
