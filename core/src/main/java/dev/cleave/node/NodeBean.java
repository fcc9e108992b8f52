package dev.cleave.node;

import dev.cleave.concurrent.SafeLog;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** The MBean. Loaded only if it is switched on, so that other programs do not need the module {@code java.management}. */
final class NodeBean implements NodeMXBean {

    private static final System.Logger LOG = SafeLog.of(NodeBean.class);

    private final ObjectName name;
    private final NodeState state;

    private NodeBean(ObjectName name, NodeState state) {
        this.name = name;
        this.state = state;
    }

    /** Registers a node; null if that fails, which is logged. */
    static @Nullable NodeBean register(String node, NodeState state) {
        try {
            NodeBean bean = new NodeBean(new ObjectName("dev.cleave:type=Node,name=" + ObjectName.quote(node)), state);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, bean.name);
            return bean;
        } catch (JMException e) {
            LOG.log(System.Logger.Level.WARNING, "cleave.jmx: node " + node + " cannot be registered", e);
            return null;
        }
    }

    void unregister() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            LOG.log(System.Logger.Level.DEBUG, "cleave.jmx", e);
        }
    }

    @Override
    public boolean isReady() {
        return state.isReady();
    }

    @Override
    public List<String> getServices() {
        return state.services();
    }

    @Override
    public int getQueuedCalls() {
        return state.load().queued();
    }

    @Override
    public int getOldestMillis() {
        return state.load().oldestMillis();
    }

    @Override
    public int getRunningCalls() {
        return state.load().running();
    }

    @Override
    public int getWorkers() {
        return state.load().capacity();
    }

    @Override
    public int getPendingCalls() {
        return state.pendingCalls();
    }
}
