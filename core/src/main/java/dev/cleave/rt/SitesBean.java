package dev.cleave.rt;

import dev.cleave.concurrent.SafeLog;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The MBean. Loaded only if it is switched on, so that other programs do not need the module {@code java.management}.
 */
final class SitesBean implements SitesMXBean {

    private static final System.Logger LOG = SafeLog.of(SitesBean.class);

    private SitesBean() {}

    static void register() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new SitesBean(), new ObjectName("dev.cleave:type=Sites"));
        } catch (JMException e) {
            LOG.log(System.Logger.Level.WARNING, "cleave.jmx: dev.cleave:type=Sites cannot be registered", e);
        }
    }

    @Override
    public List<String> getCounters() {
        return Sites.counters().stream().map(SiteCounters::toLine).toList();
    }

    @Override
    public List<String> getSwitchedOff() {
        return Sites.switchedOff();
    }

    @Override
    public void switchOff(String name) {
        Sites.switchOff(name);
    }

    @Override
    public boolean switchOn(String name) {
        return Sites.switchOn(name);
    }
}
