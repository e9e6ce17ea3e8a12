#!/usr/bin/env node
import '../bundle/pidp10-mcp.mjs';
